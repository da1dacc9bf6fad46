import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';

/**
 * A service's use of the embedded PostgreSQL and nothing else, as a process of its own: tests kill it in
 * every way.
 */
async function hold(dataDir: string, systemRoom: string): Promise<void> {
  const log = { info: (line: string) => console.error(line), warn: (line: string) => console.error(line) };
  const { url, adopted, stop } = await startEmbeddedPostgres({ dataDir, log, fsync: false, systemRoom });
  const alive = setInterval(() => undefined, 1000);
  process.once('SIGTERM', () => void stop().then(() => clearInterval(alive)));
  console.log(JSON.stringify({ url, adopted }));
}

const [dataDir = '', systemRoom = ''] = process.argv.slice(2);
try {
  await hold(dataDir, systemRoom);
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
