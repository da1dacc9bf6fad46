import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { IRateLimiterOptions } from 'rate-limiter-flexible';

/** Maximum wait for the supervisor, after which a gateway counts alone, in milliseconds. */
const WAIT_MS = 250;
const REPORT_MS = 200;
/** What all gateways together may count without asking: a part of what is left. */
const SPARE_PART = 1 / 20;

/**
 * Counts with the other gateways of this start, in their supervisor. To ask it for every point costs a
 * quarter of a read (ADR 50), so a gateway counts a small part of what is left by itself, and reports it
 * soon. Near the limit that part is nothing, and every request asks.
 */
export class CommonCount extends RateLimiterMemory {
  private readonly common: RateLimiterCluster;
  /** Points of apps that are counted here and not reported yet. */
  private readonly owed = new Map<string, number>();

  constructor(
    options: IRateLimiterOptions,
    private readonly gateways: number,
  ) {
    super(options);
    this.common = new RateLimiterCluster({ ...options, timeoutMs: WAIT_MS });
    setInterval(() => this.report(), REPORT_MS).unref();
  }

  override async consume(appId: string, points: number): Promise<RateLimiterRes> {
    const left = (await this.get(appId))?.remainingPoints ?? 0;
    const owed = this.owed.get(appId);
    if (owed === undefined || owed + points > (left * SPARE_PART) / this.gateways)
      return this.ask('consume', appId, points);
    this.owed.set(appId, owed + points);
    return super.consume(appId, points);
  }

  override async penalty(appId: string, points: number): Promise<RateLimiterRes> {
    const owed = this.owed.get(appId);
    if (owed === undefined) return this.ask('penalty', appId, points);
    this.owed.set(appId, owed + points);
    return super.penalty(appId, points);
  }

  private async ask(how: 'consume' | 'penalty', appId: string, points: number): Promise<RateLimiterRes> {
    // What is owed of a window that has ended is owed no more.
    const owed = (await this.get(appId)) === null ? 0 : (this.owed.get(appId) ?? 0);
    this.owed.set(appId, 0);
    try {
      return await this.learn(appId, await this.common[how](appId, owed + points));
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw await this.learn(appId, refused);
      return super[how](appId, points);
    }
  }

  private async learn(appId: string, told: RateLimiterRes): Promise<RateLimiterRes> {
    await this.set(appId, told.consumedPoints + (this.owed.get(appId) ?? 0), told.msBeforeNext / 1000);
    return told;
  }

  /** Apps that asked for nothing since the last report are forgotten: what is known of them grows old. */
  private report(): void {
    for (const [appId, owed] of this.owed)
      if (owed === 0) this.owed.delete(appId);
      else void this.ask('penalty', appId, 0);
  }
}
