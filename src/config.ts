import ipaddr from 'ipaddr.js';
import { HostList } from './database/hosts/HostList.js';

/** Points per minute of one app, by class of operation. */
export interface RateLimits {
  read: number;
  write: number;
  ingest: number;
  token: number;
}

/** An upstream OpenID provider for signing in. */
export interface UpstreamProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  label: string;
}

export type Role = 'all' | 'gateway' | 'worker';

/** The configuration. Frozen; secrets are separate so that the rest can be logged. */
export interface Config {
  environment: 'development' | 'production' | 'test';
  port: number;
  host: string;
  /**
   * Proxies whose `X-Forwarded-For` is trusted: addresses and networks, or the number of proxies in front of
   * the service.
   */
  trustedProxies: readonly string[] | number;
  /** The port that serves only health, metrics and `/operator`; absent: `port` serves them too. */
  operationsPort: number | undefined;
  /**
   * How long a stopping process still answers, in milliseconds, until load balancers see that it is not
   * ready.
   */
  drainMs: number;
  baseUrl: string;
  /** Absent: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** Maximum wait of a start for the database, in seconds. */
  databaseWaitSeconds: number;
  /** Whether a start migrates the database, or waits for `npm run migrate`. */
  migrations: 'start' | 'wait';
  /** Whether a database migrated by a newer version is accepted, for a roll-back. */
  allowNewerSchema: boolean;
  /** The folder of the withdrawal journal, outside the database; absent: no journal. */
  revocationJournal: string | undefined;
  replicaUrls: readonly string[];
  dataDir: string;
  role: Role;
  workers: number;
  /** Whether statements are prepared by name; off behind a pooler without support for them. */
  preparedStatements: boolean;
  /** Days after which a new signing key is created; 0: only by command. */
  signingKeyDays: number;
  /** Where workers write signed checkpoints of the consent ledgers; absent: only by command. */
  checkpointDir: string | undefined;
  checkpointMinutes: number;
  /** Maximum megabytes per app and day of answers kept for replay. */
  replayStorageMb: number;
  /** Maximum wait of a request for the result of one statement, in milliseconds; then it is 503. */
  databaseTimeoutMs: number;
  /** Maximum time of PostgreSQL for one statement of a request, in milliseconds; then it is 503. */
  statementTimeoutMs: number;
  /** Connections of one process to the primary. */
  poolSize: number;
  logLevel: string;
  /** The OTLP/HTTP endpoint for traces and metrics; absent: they are not sent. */
  otlpEndpoint: string | undefined;
  /** The interval of sending metrics, in milliseconds. */
  otlpMetricsMs: number;
  /** How many of 100 requests are logged as a line; faults always are. */
  requestLines: number;
  /** Successful requests kept in the request log, per second, app and process. */
  requestLogRate: number;
  /** The interval of checking the tokens of idle subscriptions, in milliseconds. */
  liveRecheckMs: number;
  rateLimits: RateLimits | 'off';
  /** Maximum concurrent requests of one app in one process. */
  appConcurrency: number;
  attributesFile: string | undefined;
  intentsFile: string | undefined;
  /** The manifest of trusted operations. */
  trustedDocumentsFile: string | undefined;
  /** Whether other operations are refused. */
  trustedDocumentsOnly: boolean;
  upstream: UpstreamProvider | undefined;
  /** The sender of mails. */
  mailFrom: string;
  /**
   * Whether mails are kept for the mailbox page instead of sent: never in production, and not with an
   * `SMTP_URL`.
   */
  mailbox: boolean;
  secrets: Secrets;
}

export interface Secrets {
  /** Valid values of `x-service-admin-key`; several during a rotation. */
  adminKeys: readonly string[];
  /** The key for encrypting stored secrets and for the service's database login. */
  secretsKey: string;
  /** Further keys during a rotation: they decrypt only. */
  otherSecretsKeys?: readonly string[];
  /** Signs checkpoints of the consent ledgers. */
  checkpointKey?: string;
  /** The mail server, with its credentials. */
  smtpUrl?: string;
}

/** Reports all problems of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting without white space at its ends; undefined where nothing else is given. */
export function settingOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** The folder of the embedded PostgreSQL and, in development, of the secrets. */
export function dataDirOf(env: Environment): string {
  return settingOf(env, 'DATA_DIR') ?? '.data';
}

const DEFAULT_RATE_LIMITS: RateLimits = { read: 6000, write: 3000, ingest: 60_000, token: 120 };
/** In production longer than the usual interval of load balancers' `/readyz` checks, in milliseconds. */
const DRAIN_MS = { development: 250, production: 5000, test: 0 };
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads values and collects problems, so that one start reports all of them. */
class Reader {
  readonly problems: string[] = [];

  constructor(private readonly env: Environment) {}

  text(name: string): string | undefined {
    return settingOf(this.env, name);
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    this.problems.push(`${name} must be an integer from ${min} to ${max}.`);
    return fallback;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = allowed.find((value) => value === text);
    if (found === undefined) this.problems.push(`${name} must be one of ${allowed.join(', ')}.`);
    return found ?? fallback;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (isUrl(text, protocols)) return text;
    this.problems.push(`${name} must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
    return undefined;
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/**
 * Reads the configuration from the environment (docs/contract.md#running).
 *
 * @param env the environment's variables
 * @param kept secrets created earlier in development and kept in `DATA_DIR`; never used in production
 * @throws ConfigError naming every problem
 */
export function configFrom(env: Environment, kept?: Secrets): Config {
  const read = new Reader(env);
  const environment = read.oneOf('NODE_ENV', ['development', 'production', 'test'], 'development');
  const port = read.integer('PORT', 4000, 0, 65_535);
  const base = baseUrl(read, port);
  const config: Config = {
    environment,
    port,
    host: read.text('HOST') ?? '127.0.0.1',
    trustedProxies: trustedProxies(read),
    operationsPort: operationsPort(read, port),
    drainMs: read.integer('DRAIN_MS', DRAIN_MS[environment], 0, 600_000),
    baseUrl: base,
    databaseUrl: databaseUrl(read),
    databaseWaitSeconds: read.integer(
      'DATABASE_WAIT_SECONDS',
      environment === 'production' ? 60 : 10,
      0,
      3600,
    ),
    migrations: read.oneOf('MIGRATIONS', ['start', 'wait'], 'start'),
    allowNewerSchema: read.oneOf('NEWER_SCHEMA', ['refuse', 'allow'], 'refuse') === 'allow',
    revocationJournal: read.text('REVOCATION_JOURNAL'),
    replicaUrls: replicaUrls(read),
    dataDir: dataDirOf(env),
    role: read.oneOf('ROLE', ['all', 'gateway', 'worker'], 'all'),
    workers: read.integer('WORKERS', 1, 1, 256),
    preparedStatements: read.oneOf('PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    signingKeyDays: read.integer('SIGNING_KEY_DAYS', 90, 0, 3650),
    checkpointDir: checkpointDir(read),
    checkpointMinutes: read.integer('CHECKPOINT_MINUTES', 60, 1, 10_080),
    replayStorageMb: read.integer('REPLAY_STORAGE_MB', 24_576, 1, 1_000_000),
    databaseTimeoutMs: read.integer('DATABASE_TIMEOUT_MS', 10_000, 100, 600_000),
    statementTimeoutMs: read.integer('STATEMENT_TIMEOUT_MS', 8000, 100, 600_000),
    poolSize: read.integer('POOL_SIZE', 12, 2, 500),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, environment === 'test' ? 'silent' : 'info'),
    otlpEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.replace(/\/+$/, ''),
    otlpMetricsMs: read.integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 3_600_000),
    requestLines: read.integer('REQUEST_LINES', environment === 'production' ? 100 : 0, 0, 100),
    liveRecheckMs: read.integer('LIVE_RECHECK_MS', 15_000, 100, 60_000),
    requestLogRate: read.integer('REQUEST_LOG_RATE', 10, 0, 1000),
    rateLimits: rateLimits(read),
    appConcurrency: read.integer('APP_CONCURRENCY', 64, 1, 10_000),
    attributesFile: read.text('ATTRIBUTES_FILE'),
    intentsFile: read.text('INTENTS_FILE'),
    trustedDocumentsFile: read.text('TRUSTED_DOCUMENTS'),
    trustedDocumentsOnly: trustedDocumentsOnly(read),
    upstream: upstream(read),
    mailFrom: mailFrom(read, base),
    mailbox: environment !== 'production' && read.text('SMTP_URL') === undefined,
    secrets: secrets(read, environment, kept),
  };
  // Settings from which others are derived are read more than once.
  if (read.problems.length > 0) throw new ConfigError([...new Set(read.problems)]);
  return Object.freeze(config);
}

function baseUrl(read: Reader, port: number): string {
  const given = read.url('BASE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`;
  if (!URL.canParse(given)) return given;
  const url = new URL(given);
  if (/[^/]/.test(url.pathname) || url.search !== '' || url.hash !== '' || url.username !== '')
    read.problems.push('BASE_URL must be an origin, without a path, a query or credentials.');
  return url.origin;
}

/** Names of address ranges that Express supports. */
const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
const MAX_PROXIES = 10;

function trustedProxies(read: Reader): string[] | number {
  const items = read.list('TRUSTED_PROXIES');
  const [count = ''] = items;
  if (items.length === 1 && /^\d+$/.test(count) && Number(count) <= MAX_PROXIES) return Number(count);
  if (!items.every(isNetwork))
    read.problems.push(
      `TRUSTED_PROXIES must be a number of proxies up to ${MAX_PROXIES}, or addresses, networks (10.0.0.0/8), ${PROXY_RANGES.join(', ')}.`,
    );
  return items;
}

/** Excludes bare numbers, which the library would read as addresses. */
function isNetwork(text: string): boolean {
  if (PROXY_RANGES.includes(text)) return true;
  return /[.:]/.test(text) && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text));
}

function operationsPort(read: Reader, port: number): number | undefined {
  if (read.text('OPERATIONS_PORT') === undefined) return undefined;
  const operations = read.integer('OPERATIONS_PORT', 0, 0, 65_535);
  if (operations === port && port !== 0) read.problems.push('OPERATIONS_PORT must not be PORT.');
  return operations;
}

/** Characters of `CHECKPOINT_KEY`. */
export const MIN_CHECKPOINT_KEY = 32;

function checkpointDir(read: Reader): string | undefined {
  const folder = read.text('CHECKPOINT_DIR');
  if (folder !== undefined && (read.text('CHECKPOINT_KEY') ?? '').length < MIN_CHECKPOINT_KEY)
    read.problems.push(`CHECKPOINT_DIR needs CHECKPOINT_KEY, of at least ${MIN_CHECKPOINT_KEY} characters.`);
  return folder;
}

function databaseUrl(read: Reader): string | undefined {
  const url = read.text('DATABASE_URL');
  const problem = url === undefined ? undefined : databaseProblem(url);
  if (problem === undefined) return url;
  read.problems.push(
    'DATABASE_URL must be a URL starting with postgres:// or postgresql://, with several hosts as ' +
      `postgres://user@one:5432,two:5432/name. ${problem}`,
  );
  return undefined;
}

/** What is wrong with a database's URL, without its text; undefined if nothing is. */
function databaseProblem(url: string): string | undefined {
  try {
    void new HostList(url);
    return undefined;
  } catch (error) {
    return (error as TypeError).message;
  }
}

function replicaUrls(read: Reader): string[] {
  const urls = read.list('DATABASE_REPLICA_URLS');
  const problem = urls.map(databaseProblem).find((found) => found !== undefined);
  if (problem !== undefined)
    read.problems.push(
      `DATABASE_REPLICA_URLS must be comma-separated URLs starting with postgres://. ${problem}`,
    );
  return urls;
}

/** `off`, or pairs such as `read=6000,write=3000` over the defaults. */
function rateLimits(read: Reader): RateLimits | 'off' {
  const pairs = read.list('RATE_LIMITS');
  if (pairs.length === 1 && pairs[0] === 'off') return 'off';
  const limits = { ...DEFAULT_RATE_LIMITS };
  for (const pair of pairs) {
    const [name = '', value = '', ...more] = pair.split('=').map((part) => part.trim());
    if (more.length > 0 || !Object.hasOwn(limits, name) || !/^[1-9]\d{0,8}$/.test(value)) {
      const known = Object.entries(DEFAULT_RATE_LIMITS).map((limit) => limit.join('='));
      read.problems.push(`RATE_LIMITS must be "off" or pairs like ${known.join(',')}.`);
      break;
    }
    limits[name as keyof RateLimits] = Number(value);
  }
  return limits;
}

function trustedDocumentsOnly(read: Reader): boolean {
  const only = read.oneOf('TRUSTED_DOCUMENTS_ONLY', ['true', 'false'], 'false') === 'true';
  if (only && read.text('TRUSTED_DOCUMENTS') === undefined)
    read.problems.push('TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS: nothing could be asked for.');
  return only;
}

function upstream(read: Reader): UpstreamProvider | undefined {
  const issuer = read.url('UPSTREAM_ISSUER', ['http:', 'https:']);
  const clientId = read.text('UPSTREAM_CLIENT_ID');
  const clientSecret = read.text('UPSTREAM_CLIENT_SECRET');
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    read.problems.push(
      'UPSTREAM_ISSUER, UPSTREAM_CLIENT_ID and UPSTREAM_CLIENT_SECRET must be given together.',
    );
    return undefined;
  }
  return { issuer, clientId, clientSecret, label: read.text('UPSTREAM_LABEL') ?? new URL(issuer).hostname };
}

function mailFrom(read: Reader, base: string): string {
  const given = read.text('MAIL_FROM');
  if (given !== undefined && !/^(?:[^\s<>]+@[^\s<>]+|[^<>\r\n]*<[^\s<>]+@[^\s<>]+>)$/.test(given))
    read.problems.push('MAIL_FROM must be an address such as "Partner Consent <consent@example.com>".');
  return given ?? `Partner Consent <no-reply@${new URL(base).hostname}>`;
}

function secrets(read: Reader, environment: Config['environment'], kept: Secrets | undefined): Secrets {
  const production = environment === 'production';
  const adminKeys = read.list('ADMIN_KEYS');
  const [secretsKey, ...otherSecretsKeys] = read.list('SECRETS_KEY');
  if (production && adminKeys.length === 0)
    read.problems.push('ADMIN_KEYS is required in production and has no default.');
  if (production && adminKeys.some((key) => key.length < 16))
    read.problems.push('ADMIN_KEYS must each have at least 16 characters.');
  if (production && secretsKey === undefined)
    read.problems.push('SECRETS_KEY is required in production and has no default.');
  if (production && [secretsKey, ...otherSecretsKeys].some((key) => key !== undefined && key.length < 32))
    read.problems.push('SECRETS_KEY must be of at least 32 characters; each, where there are several.');
  if (new Set(read.list('SECRETS_KEY')).size < read.list('SECRETS_KEY').length)
    read.problems.push('SECRETS_KEY must name each key once.');
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (smtpUrl !== undefined && new URL(smtpUrl).hostname === '')
    read.problems.push('SMTP_URL must be a URL starting with smtp:// or smtps://, with a host.');
  const checkpointKey = read.text('CHECKPOINT_KEY');
  const usable = production ? undefined : kept;
  return {
    adminKeys: adminKeys.length > 0 ? adminKeys : (usable?.adminKeys ?? []),
    secretsKey: secretsKey ?? usable?.secretsKey ?? '',
    ...(otherSecretsKeys.length === 0 ? {} : { otherSecretsKeys }),
    ...(checkpointKey === undefined ? {} : { checkpointKey }),
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
  };
}
