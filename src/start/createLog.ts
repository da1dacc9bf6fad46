import pino from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';

/** Members that are never logged, on the top level and one level below. */
const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'signing_secret',
];

/** Bytes that wait for a standard output that takes none; what comes then is dropped. */
const MAX_WAITING = 1 << 20;

/**
 * Structured logs to standard output. While it takes none, as on a full disk, lines wait and are then dropped,
 * and standard error says so; neither requests nor the end of the process wait. Errors are reduced to type,
 * message and stack, as database errors also contain values.
 */
export function createLog(level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: REDACTED.flatMap((name) => [name, `*.${name}`, `headers.${name}`]),
      censor: '[redacted]',
    },
    serializers: { err: describe },
  };
  return pino(options, standardOutput());
}

function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING });
  const flush = output.flushSync.bind(output);
  let isTaken = true;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (isTaken) process.stderr.write(`The log cannot be written: ${error.code ?? error.message}.\n`);
    isTaken = false;
  });
  output.on('write', () => (isTaken = true));
  // At the end of the process it would try for ever.
  output.flushSync = () => (isTaken ? flush() : undefined);
  return output;
}

/**
 * PostgreSQL puts row values into `detail`, `where` and some messages. Of its errors only code and place are
 * logged, also where GraphQL wrapped them in errors that repeat message and stack.
 */
function describe(error: unknown): object {
  const cause = originalOf(error);
  if (!(cause instanceof Error)) return { type: typeof cause };
  const { code, constraint } = cause as { code?: unknown; constraint?: unknown };
  return {
    type: cause.constructor.name,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(constraint === undefined ? {} : { constraint: String(constraint) }),
    ...('severity' in cause ? {} : { message: cause.message }),
    stack: placesOf(cause),
  };
}

function originalOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && 'originalError' in cause && cause.originalError instanceof Error)
    cause = cause.originalError;
  return cause;
}

/** The stack without its message, which may have several lines. */
function placesOf({ stack = '' }: Error): string {
  const places = stack.split('\n').filter((line) => line.startsWith('    at '));
  return places.slice(0, 12).join('\n');
}
