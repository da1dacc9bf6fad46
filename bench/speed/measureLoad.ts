import { percentile, runLoad } from './LoadClient.js';
import type { LoadPlan } from './LoadClient.js';

export interface Sample {
  perSecond: number;
  /** Of the server's processes. */
  cpuMsPerRequest: number;
  /** Processor time of PostgreSQL; NaN if it is unknown. */
  databaseMsPerRequest: number;
  p50: number;
  p99: number;
}

/** Milliseconds a request of the server and PostgreSQL together: what one saves the other may spend. */
export function allCpu({ cpuMsPerRequest, databaseMsPerRequest }: Sample): number {
  return cpuMsPerRequest + (Number.isNaN(databaseMsPerRequest) ? 0 : databaseMsPerRequest);
}

/** Tells the processor time that was used so far, in milliseconds. */
export interface Meter {
  server: () => number | Promise<number>;
  database: () => number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  failures: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export async function loadOf(plan: LoadPlan): Promise<LoadResult> {
  const load = await runLoad(plan);
  return { ...load, p50: percentile(load, 0.5), p99: percentile(load, 0.99) };
}

/** @throws Error when an answer had another status than was to be */
export async function measureLoad(plan: LoadPlan, meter: Meter, run = loadOf): Promise<Sample> {
  const before = { server: await meter.server(), database: meter.database() };
  const load = await run(plan);
  const after = { server: await meter.server(), database: meter.database() };
  if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} requests failed.`);
  return {
    perSecond: load.requests / load.seconds,
    cpuMsPerRequest: (after.server - before.server) / load.requests,
    databaseMsPerRequest: (after.database - before.database) / load.requests,
    p50: load.p50,
    p99: load.p99,
  };
}
