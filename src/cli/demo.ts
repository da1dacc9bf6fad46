import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../app.js';
import { configFrom } from '../config.js';
import { Partner } from '../demo/Partner.js';
import { walkMainJob } from '../demo/walkMainJob.js';
import { keptSecrets } from '../keptSecrets.js';

/** `npm run demo`: the main job, told step by step, on a service of its own that leaves nothing behind. */
async function demo(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'consent-demo-'));
  const kept = await keptSecrets(dataDir);
  const config = configFrom({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }, kept);
  console.log('Starting a service for the demonstration…');
  const running = await startService(config);
  try {
    await walkMainJob(new Partner(running.url, console.log), config.secrets.adminKeys[0] ?? '');
    console.log(
      '\nDone. Next: npm start, then npm run demo:data, and look at /dashboard, /graphiql and /docs.',
    );
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await demo();
