import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PROGRESS_EVERY_SECONDS = 10;

/** A failure that needs no stack trace: its message says everything. */
export class StepFailed extends Error {
  expected = true;

  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command to its end with our own streams, passes signals on to it, and says every ten seconds that it
 * still runs. Resolves with the exit code.
 *
 * @throws StepFailed when a signal that we passed on ended it
 */
export async function runStep(command, args, { progress, output, env = process.env } = {}) {
  const child = spawn(command, args, { stdio: ['ignore', output ? 'pipe' : 'inherit', 'inherit'], env });
  if (output) child.stdout.setEncoding('utf8').on('data', output);
  let interrupted;
  const forward = (signal) => {
    interrupted = signal;
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  const ticking = progress && tick(progress);
  try {
    const code = await exitCodeOf(child);
    if (interrupted !== undefined && code !== 0)
      throw new StepFailed(`Ended by ${interrupted}.`, 128 + constants.signals[interrupted]);
    return code;
  } finally {
    clearInterval(ticking);
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

function tick(progress) {
  const since = Date.now();
  const say = () => console.error(`… ${progress} (${Math.round((Date.now() - since) / 1000)} s)`);
  return setInterval(say, PROGRESS_EVERY_SECONDS * 1000);
}

function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
