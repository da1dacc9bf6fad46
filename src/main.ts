import { startService } from './app.js';
import type { RunningService } from './app.js';
import { configFrom, ConfigError } from './config.js';
import type { Config } from './config.js';
import { keptSecrets } from './keptSecrets.js';
import { welcome } from './welcome.js';

/** Reads the environment, starts the service and ends it on a signal. The only file that touches `process`. */
async function main(): Promise<void> {
  const config = await readConfig();
  const running = await startService(config);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(running));
  process.stdout.write(await welcome(running));
}

async function readConfig(): Promise<Config> {
  const production = process.env['NODE_ENV'] === 'production';
  const kept = production ? undefined : await keptSecrets(process.env['DATA_DIR'] ?? '.data');
  return configFrom(process.env, kept);
}

async function end(running: RunningService): Promise<void> {
  try {
    await running.stop();
    process.exit(0);
  } catch (error) {
    running.services.log.error({ err: error }, 'stopping failed');
    process.exit(1);
  }
}

main().catch((error: unknown) => {
  const told =
    error instanceof ConfigError
      ? error.message
      : `The service could not start.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  process.stderr.write(`${told}\n`);
  process.exit(1);
});
