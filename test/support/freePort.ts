import { freePort as anyFreePort } from '../../src/database/embedded/freePort.js';

/** Below the ports of embedded PostgreSQL. */
const LOWEST = 11_000;
const HIGHEST = 19_999;

/** Each of several lanes has ports of its own (bin/runLanes.mjs). */
const [lane = 0, lanes = 1] = (process.env['TEST_LANE'] ?? '0/1').split('/').map(Number);
const size = Math.floor((HIGHEST - LOWEST + 1) / lanes);
const lowest = LOWEST + lane * size;

const given = new Set<number>();

/** A free port that no other test is given, as it may be a while until somebody listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await anyFreePort(lowest, lowest + size - 1);
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
