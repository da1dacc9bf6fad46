import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../app.js';
import { configFrom } from '../config.js';
import { Partner } from '../demo/Partner.js';
import { walkMainJob } from '../demo/walkMainJob.js';
import { keptSecrets } from '../keptSecrets.js';
import { runCommand } from './runCommand.js';

const USAGE = `npm run demo

The main job, told step by step, on a service of its own that leaves nothing behind.`;

await runCommand({
  usage: USAGE,
  options: {},
  async run(_options, tell) {
    const dataDir = await mkdtemp(join(tmpdir(), 'consent-demo-'));
    const kept = await keptSecrets(dataDir);
    const config = configFrom({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }, kept);
    tell('Starting a service for the demonstration…');
    const running = await startService(config);
    const cleanUp = async (): Promise<void> => {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
    try {
      const data = await walkMainJob(new Partner(running.url, tell), config.secrets.adminKeys[0] ?? '');
      const text =
        '\nDone. Next: npm start, then npm run demo:data, and look at /dashboard, /graphiql and /docs.';
      return { text, data };
    } finally {
      await cleanUp();
    }
  },
});
