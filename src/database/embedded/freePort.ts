import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above the commonly used registered ports, below the system's range for outgoing connections. */
const LOWEST = 20_000;
const HIGHEST = 32_767;

/** A port of 127.0.0.1 that nothing listens on now. */
export async function freePort(lowest = LOWEST, highest = HIGHEST): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest} on 127.0.0.1.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
