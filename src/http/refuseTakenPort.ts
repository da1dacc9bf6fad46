import cluster from 'node:cluster';
import { createServer } from 'node:net';

/**
 * Checks that the port is free before anything else: a failing start must not create a database. Members of a
 * cluster share their port and skip the check.
 *
 * @throws Error `EADDRINUSE` or `EACCES`
 */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  if (port === 0 || cluster.isWorker) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(port, host, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}
