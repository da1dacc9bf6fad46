import pino from 'pino';
import type { Logger } from 'pino';

/** Members that are never written, wherever a library puts them. */
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

/** Structured logs to standard output. Errors are reduced to type, message and stack: database errors also carry values. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`, `headers.${name}`]), censor: '[redacted]' },
    serializers: { err: describe },
  });
}

/** PostgreSQL puts row values into `detail`, `where` and some messages: of its errors only the code and place are kept. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error ? String(error.code) : undefined;
  const fromDatabase = 'severity' in error;
  const constraint = 'constraint' in error ? String(error.constraint) : undefined;
  return {
    type: error.constructor.name,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(fromDatabase ? {} : { message: error.message }),
    stack: (error.stack ?? '')
      .split('\n')
      .slice(fromDatabase ? 1 : 0, 12)
      .join('\n'),
  };
}
