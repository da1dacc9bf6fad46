import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadPlan } from './LoadClient.js';
import { loadOf } from './measureLoad.js';
import type { LoadResult } from './measureLoad.js';

const SCRIPT = join(import.meta.dirname, '../../../bench/speed/replay.lua');

/** Requests that are made ahead; they are then sent in turn. */
const REQUESTS = 20_000;

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** Who sends the requests of `lightLoad`. */
export const LIGHT_LOAD = hasWrk ? 'wrk' : 'a client on Node';

/**
 * As many reads as are answered, by wrk where it is installed (Debian's package `wrk`), else by a client on
 * Node. The load runs on the cores of the servers, so it should take little of them.
 */
export async function lightLoad(plan: LoadPlan): Promise<LoadResult> {
  // wrk knows no number of requests, by which rounds of warming up end.
  if (!hasWrk || plan.requests !== undefined) return loadOf(plan);
  const room = mkdtempSync(join(tmpdir(), 'consent-load-'));
  try {
    const file = join(room, 'requests');
    const requests = Array.from({ length: REQUESTS }, plan.next);
    writeFileSync(
      file,
      Buffer.concat(requests.flatMap((request) => [Buffer.from(`${request.length}\n`), request])),
    );
    const url = `http://127.0.0.1:${plan.port}`;
    const extent = ['-t1', `-c${plan.connections}`, `-d${Math.ceil(plan.seconds)}s`];
    const { stdout } = await promisify(execFile)('wrk', [...extent, '-s', SCRIPT, url, '--', file]);
    const [, ...told] = /^TOLD (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
    if (told.length === 0) throw new Error(`wrk told nothing: ${stdout}`);
    const [requestsMade = 0, duration = 0, failures = 0, p50 = 0, p99 = 0] = told.map(Number);
    return { requests: requestsMade, seconds: duration / 1e6, failures, p50: p50 / 1000, p99: p99 / 1000 };
  } finally {
    rmSync(room, { recursive: true });
  }
}
