import { setTimeout as sleep } from 'node:timers/promises';
import { fetchToken, registerApp } from '../../support/registerApp.js';
import type { TestPartner } from '../../support/TestPartner.js';

/** Long before a token ends. */
const RENEW_MS = 300_000;
const RETRY_MS = 200;

/** The token of an app during a proof that lasts longer than a token, and whose processes are killed. */
export class AppToken {
  private readonly urls: readonly string[];
  private readonly app: TestPartner;
  private token: string;

  private constructor(urls: readonly string[], app: TestPartner) {
    this.urls = urls;
    this.app = app;
    this.token = app.credentials['authorization']?.replace('Bearer ', '') ?? '';
  }

  /** Of a new app of the service behind all the addresses. */
  static async register(urls: readonly [string, ...string[]]): Promise<AppToken> {
    return new AppToken(urls, await registerApp(urls[0]));
  }

  readonly current = (): string => this.token;

  /** Keeps it fresh until it is over. */
  async keepFresh(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await sleep(RENEW_MS, undefined, { signal: over }).catch(() => undefined);
      for (let turn = 0; !over.aborted && !(await this.renew(turn)); turn += 1) await sleep(RETRY_MS);
    }
  }

  private async renew(turn: number): Promise<boolean> {
    const url = this.urls[turn % this.urls.length] ?? '';
    const token = await fetchToken(url, this.app).catch(() => undefined);
    if (token === undefined) return false;
    this.token = token;
    return true;
  }
}
