import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Above the registered ports in common use, below the range from which the system takes ports for outgoing
 * connections.
 */
const LOWEST = 20_000;
const HIGHEST = 32_767;

/** A port of 127.0.0.1 on which nothing listens at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST} on 127.0.0.1.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
