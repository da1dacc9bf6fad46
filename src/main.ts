import cluster from 'node:cluster';
import { startService } from './app.js';
import type { RunningService, StartWork } from './app.js';
import { ConfigError } from './config.js';
import type { Config } from './config.js';
import { LaunchFailure } from './database/embedded/LaunchFailure.js';
import { StartFailure } from './database/StartFailure.js';
import type { ToldMetrics } from './http/metrics.js';
import { readConfig } from './start/readConfig.js';
import { CommonCount } from './processes/CommonCount.js';
import { MemberMetrics } from './processes/MemberMetrics.js';
import { Supervisor } from './processes/Supervisor.js';
import { WorkThread } from './processes/WorkThread.js';
import type { WorkGiven } from './start/startWorking.js';
import { welcome } from './start/welcome.js';

/** Reads the environment, starts the service and stops it on a signal. */
async function main(): Promise<void> {
  const config = await readConfig(process.env);
  if (cluster.isPrimary && config.workers > 1 && config.role !== 'worker') return supervise(config);
  const members = new MemberMetrics<ToldMetrics>();
  const starting = startService(config, {
    otherMetrics: () => members.others(),
    ...(cluster.isWorker ? { newCount: (options) => new CommonCount(options, config.workers) } : {}),
    ...(config.role === 'all' ? { startWork: inThread } : {}),
  });
  // On a database of its own the start comes first: that database must be stopped in good order.
  const mayLeave = config.databaseUrl !== undefined;
  endOnSignal(
    starting.then((running) => () => end(running)),
    mayLeave,
  );
  const running = await starting;
  members.answerWith(() => running.services.metrics.getMetricsAsJSON());
  tell(await welcome(running));
}

/** Background work has its own thread, so that it never blocks the event loop of requests. */
const inThread: StartWork = ({ config, attributes, intents, log }, serviceUrl) => {
  const given: WorkGiven = { config, attributes, intents, serviceUrl };
  return new WorkThread<ToldMetrics>(new URL('workThread.js', import.meta.url), given, log);
};

/** Runs several gateways on one port. Each is a process that runs this file with its own role. */
async function supervise(config: Config): Promise<void> {
  const supervisor = new Supervisor(config, (message) => process.stderr.write(`${message}\n`));
  endOnSignal(Promise.resolve(() => supervisor.stop().then(() => process.exit(0))));
  try {
    tell(await supervisor.start());
  } catch {
    // The failed process has already reported why.
    await supervisor.stop();
    process.exit(1);
  }
}

/** A supervised process sends the text to its supervisor, which prints it once for all. */
function tell(text: string): void {
  if (process.send) process.send({ kind: 'ready', welcome: text });
  else process.stdout.once('error', () => undefined).write(text);
}

/**
 * Ctrl-C arrives twice: from the terminal and from npm. The second signal must not interrupt the shutdown.
 *
 * @param mayLeave whether a start is left at once: nothing is served yet, and the next start does the rest
 */
function endOnSignal(starting: Promise<() => Promise<void>>, mayLeave = false): void {
  let ending = false;
  let started = false;
  void starting.then(
    () => (started = true),
    () => undefined,
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (mayLeave && !started) process.exit(0);
      if (!ending)
        void starting.then(
          (stop) => stop(),
          () => undefined,
        );
      ending = true;
    });
  }
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

const WRONG_HOST = 'Set HOST to an address of this machine.';

/** By the code of a failure, and the setting of the port that it is about. */
const ADVICE: Record<string, (port: string) => string> = {
  EADDRINUSE: (port) => `Set ${port} to a free port, or end what uses this one.`,
  EADDRNOTAVAIL: () => WRONG_HOST,
  EACCES: (port) => `Run as the user that this belongs to, or choose another DATA_DIR (or ${port}).`,
};

/** A sentence for problems that the operator can solve; a stack for others. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof LaunchFailure || error instanceof StartFailure)
    return error.message;
  if (!(error instanceof Error)) return `The service could not start.\n${String(error)}`;
  const advice = 'code' in error ? ADVICE[String(error.code)] : undefined;
  if (advice !== undefined) return `${error.message}\n${advice(portOf(error))}`;
  // A name that is not known: that of HOST, not of another machine.
  if ('hostname' in error && error.hostname === process.env['HOST']?.trim())
    return `${error.message}\n${WRONG_HOST}`;
  return `The service could not start.\n${error.stack ?? error.message}`;
}

function portOf(error: Error): string {
  const isOperations = 'port' in error && error.port === Number(process.env['OPERATIONS_PORT']);
  return isOperations ? 'OPERATIONS_PORT' : 'PORT';
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
