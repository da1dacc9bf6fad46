import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../app.js';
import type { RunningService } from '../app.js';
import { configFrom } from '../config.js';
import { Partner } from '../demo/Partner.js';
import { walkMainJob } from '../demo/walkMainJob.js';
import { keptSecrets } from '../start/keptSecrets.js';
import { runProgram } from './runProgram.js';

const USAGE = `npm run demo

The main job, told step by step, on a service of its own that leaves nothing behind.`;

await runProgram({
  usage: USAGE,
  options: {},
  async run(_options, tell) {
    const dataDir = await mkdtemp(join(tmpdir(), 'consent-demo-'));
    tell('Starting a service for the demonstration…');
    const starting = start(dataDir);
    let cleaning: Promise<void> | undefined;
    const cleanUp = (): Promise<void> => (cleaning ??= remove(dataDir, starting));
    // Ctrl-C arrives twice: from the terminal and from npm.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => void cleanUp().finally(() => process.exit(130)));
    try {
      const running = await starting;
      const data = await walkMainJob(
        new Partner(running.url, tell),
        running.services.config.secrets.adminKeys[0] ?? '',
      );
      const text =
        '\nDone. Next: npm start, then npm run demo:data, and look at /dashboard, /graphiql and /docs.';
      return { text, data };
    } finally {
      await cleanUp();
    }
  },
});

async function start(dataDir: string): Promise<RunningService> {
  const kept = await keptSecrets(dataDir);
  return startService(configFrom({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }, kept));
}

/** A start that is under way ends first: its database must be stopped in good order. */
async function remove(dataDir: string, starting: Promise<RunningService>): Promise<void> {
  const running = await starting.catch(() => undefined);
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
