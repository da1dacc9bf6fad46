import { randomUUID } from 'node:crypto';
import type { BenchHarness } from './BenchHarness.js';
import { callService } from './callService.js';
import type { Call } from './callService.js';
import { percentile } from './LoadClient.js';
import { readProfiles } from './readProfiles.js';

export interface RevokePlan {
  /** Customers that are read meanwhile. */
  ids: readonly string[];
  revokes: number;
  connections: number;
  /** How much is read beside the revokes, of what can be; 0: nothing. */
  share: number;
  /** How long the peak is measured. */
  seconds: number;
}

export interface RevokeResult {
  /** Profiles read per second meanwhile. */
  perSecond: number;
  p50: number;
  p99: number;
}

/** A read's load is sent for so long at a time until the revokes are done. */
const SPELL_SECONDS = 1;

/**
 * Revokes receipts one after the other under a steady load of reads. @throws Error when a read after an
 * answer is not refused
 */
export async function measureRevokes(harness: BenchHarness, plan: RevokePlan): Promise<RevokeResult> {
  const call: Call = { port: harness.ours.port, token: await harness.token(), expect: 201 };
  const receipts = [];
  for (let index = 0; index < plan.revokes; index += 1) receipts.push(await addReceipt(call));
  const reads = new SteadyReads(harness, call, plan);
  await reads.start();
  const latencies: number[] = [];
  for (const receipt of receipts) latencies.push(await revoke(call, receipt));
  const perSecond = await reads.stop();
  latencies.sort((a, b) => a - b);
  return { perSecond, p50: percentile({ latencies }, 0.5), p99: percentile({ latencies }, 0.99) };
}

interface Receipt {
  id: string;
  customer_id: string;
}

async function addReceipt(call: Call): Promise<Receipt> {
  const { customer } = await callService<{ customer: { id: string } }>(call, 'POST', '/v1/customers', {
    external_id: randomUUID(),
  });
  const purposes = ['personalization', 'analytics'];
  return callService<Receipt>(call, 'POST', '/v1/consent-receipts', { customer_id: customer.id, purposes });
}

/** @returns milliseconds to the answer */
async function revoke(call: Call, { id, customer_id }: Receipt): Promise<number> {
  const started = performance.now();
  await callService({ ...call, expect: 202 }, 'POST', `/v1/consent-receipts/${id}/revoke`, {});
  const taken = performance.now() - started;
  await callService(
    { ...call, expect: 403 },
    'GET',
    `/v1/profiles/${customer_id}?consent_purpose=personalization`,
  );
  return taken;
}

/** Reads of profiles that go on beside something else. */
class SteadyReads {
  private readonly harness: BenchHarness;
  private readonly call: Call;
  private readonly plan: RevokePlan;
  private readonly rates: number[] = [];
  private going = false;
  private running: Promise<void> = Promise.resolve();

  constructor(harness: BenchHarness, call: Call, plan: RevokePlan) {
    this.harness = harness;
    this.call = call;
    this.plan = plan;
  }

  /** Finds the peak first. */
  async start(): Promise<void> {
    const { share, seconds } = this.plan;
    if (share === 0) return;
    const peak = await this.read({ seconds });
    this.going = true;
    this.running = this.keepReading(share * peak);
  }

  /** @returns how many were read per second */
  async stop(): Promise<number> {
    this.going = false;
    await this.running;
    return this.rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, this.rates.length);
  }

  private async keepReading(rate: number): Promise<void> {
    while (this.going) this.rates.push(await this.read({ seconds: SPELL_SECONDS, rate }));
  }

  private async read(extent: { seconds: number; rate?: number }): Promise<number> {
    const { harness, call, plan } = this;
    const { connections, ids } = plan;
    const meter = { server: () => harness.ours.cpuMs(), database: () => harness.databaseCpuMs() };
    return (await readProfiles({ ...call, connections, ids, ...extent }, meter)).perSecond;
  }
}
