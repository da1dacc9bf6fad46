import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { freePort } from '../../src/database/embedded/freePort.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import { migrate } from '../../src/database/migrate.js';
import { cpuOfTree, parentOf } from './cpuOfTree.js';
import { PEERS } from './installPeers.js';
import { CLAIMS_PER_FACT, seedCustomers } from './seedCustomers.js';
import { ServerProcess } from './ServerProcess.js';

const OURS = join(import.meta.dirname, 'serveOurs.js');
const UNGATED = join(import.meta.dirname, 'serveUngated.js');
const SERVICE = join(import.meta.dirname, '../../src/main.js');
const TELL_USAGE = pathToFileURL(join(import.meta.dirname, 'tellUsage.js')).href;
export const SECRETS_KEY = 'bench-secrets-key-of-at-least-32-characters';
const ADMIN_KEY = 'bench-admin-key-0123456789';
const SCOPES = [
  'profile:read',
  'profiles:read',
  'claims:read',
  'customers:read',
  'customers:write',
  'consent:read',
  'consent:write',
  'events:write',
  'workflows:read',
];

/** The PostgreSQL of one run, and the servers that read it. */
export class BenchHarness {
  readonly ownerUrl: string;
  readonly ours: ServerProcess;
  readonly appId: string;
  private readonly app: BenchApp;
  private readonly others: ServerProcess[] = [];
  private readonly database: RunningDatabase;

  private constructor(database: RunningDatabase, ours: ServerProcess, app: BenchApp) {
    this.ownerUrl = database.url;
    this.database = database;
    this.ours = ours;
    this.appId = app.app_id;
    this.app = app;
  }

  static async open(): Promise<BenchHarness> {
    const dataDir = mkdtempSync(join(tmpdir(), 'consent-bench-'));
    const log = { info: () => undefined, warn: (message: string) => console.warn(message) };
    const postgres = await startEmbeddedPostgres({ dataDir, log, systemRoom: join(dataDir, 'system') });
    const stop = async (): Promise<void> => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    const database = { url: postgres.url, pid: await postmasterPid(postgres.url), stop };
    const ours = await ServerProcess.start('ours', OURS, serviceEnv(postgres.url));
    return new BenchHarness(database, ours, await registerApp(ours.port));
  }

  /** Processor time of PostgreSQL so far, in milliseconds; NaN if it is unknown. */
  databaseCpuMs(): number {
    return cpuOfTree(this.database.pid);
  }

  /** The database URL with the role that the service uses. */
  async serviceUrl(): Promise<string> {
    return (await migrate(this.ownerUrl, { secretsKey: SECRETS_KEY })).serviceUrl;
  }

  /** Creates customers of the bench's app with facts, each with its claims. @returns their ids */
  seed(given: { customers: number; facts: number; prefix?: string }): Promise<string[]> {
    const { ownerUrl, appId } = this;
    return seedCustomers({ prefix: 'bench', claimsPerFact: CLAIMS_PER_FACT, ...given, ownerUrl, appId });
  }

  /** Registers another app. */
  addApp(): Promise<BenchApp> {
    return registerApp(this.ours.port);
  }

  /** Gets a new access token; a token is valid for 15 minutes. */
  async token({ app_id, client_secret }: BenchApp = this.app): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.ours.port}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app_id}:${client_secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES.join(' ') }),
    });
    const { access_token } = (await response.json()) as { access_token?: string };
    if (access_token === undefined) throw new Error(`No token: ${response.status}`);
    return access_token;
  }

  /**
   * Starts a peer; `name` is its file and, after a dash, its argument. Without tokens of other apps it knows
   * only one app.
   */
  startPeer(
    name: string,
    token: string,
    appOf: ReadonlyMap<string, string> = new Map(),
  ): Promise<ServerProcess> {
    const [file = '', ...args] = name.split('-');
    const env = {
      DATABASE_URL: this.ownerUrl,
      APP_ID: this.appId,
      TOKEN: token,
      APPS: JSON.stringify([...appOf]),
      PORT: '0',
      NODE_ENV: 'production',
    };
    return this.keep(ServerProcess.start(name, join(PEERS, `${file}.mjs`), env, args));
  }

  /** Starts another process of the service. */
  startGated(): Promise<ServerProcess> {
    return this.keep(ServerProcess.start('gated', OURS, serviceEnv(this.ownerUrl)));
  }

  /** Starts the service with a statement for profiles that does not check consent. */
  startUngated(): Promise<ServerProcess> {
    return this.keep(ServerProcess.start('ungated', UNGATED, serviceEnv(this.ownerUrl)));
  }

  /** Starts another process of the service, for background work. */
  startWorker(): Promise<ServerProcess> {
    return this.keep(ServerProcess.start('worker', OURS, { ...serviceEnv(this.ownerUrl), ROLE: 'worker' }));
  }

  /** Starts the service as `npm start` does, without further settings. */
  async startWhole(own: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    const env = { ...serviceEnv(this.ownerUrl), ROLE: 'all', PORT: String(await freePort()), ...own };
    return this.keep(ServerProcess.start('whole', SERVICE, env, [], [TELL_USAGE]));
  }

  /** Starts the service with its background work in the serving thread. */
  startInOneThread(own: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    const env = { ...serviceEnv(this.ownerUrl), ROLE: 'all', ...own };
    return this.keep(ServerProcess.start('one thread', OURS, env));
  }

  /** Stops one server before the others. */
  async stopServer(server: ServerProcess): Promise<void> {
    await server.stop();
    this.others.splice(this.others.indexOf(server), 1);
  }

  /** Starts the service as `npm start` does, with several gateways behind one port. */
  async startGateways(workers: number): Promise<ServerProcess> {
    const own = { WORKERS: String(workers), PORT: String(await freePort()) };
    return this.keep(
      ServerProcess.start(`${workers} gateways`, SERVICE, { ...serviceEnv(this.ownerUrl), ...own }),
    );
  }

  private async keep(starting: Promise<ServerProcess>): Promise<ServerProcess> {
    const server = await starting;
    this.others.push(server);
    return server;
  }

  async close(): Promise<void> {
    for (const server of [...this.others, this.ours]) await server.stop();
    await this.database.stop();
  }
}

interface RunningDatabase {
  url: string;
  /** The process id of the postmaster. */
  pid: number;
  stop: () => Promise<void>;
}

/** A registered app. */
export interface BenchApp {
  app_id: string;
  client_secret: string;
}

function serviceEnv(databaseUrl: string): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    PORT: '0',
    ROLE: 'gateway',
    DATABASE_URL: databaseUrl,
    ADMIN_KEYS: ADMIN_KEY,
    SECRETS_KEY,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
}

/** The process id of a backend's parent; 0 without /proc. */
async function postmasterPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]?.pid ?? 0);
  } finally {
    await client.end();
  }
}

async function registerApp(port: number): Promise<BenchApp> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/apps`, {
    method: 'POST',
    headers: {
      'x-service-admin-key': ADMIN_KEY,
      'content-type': 'application/json',
      'idempotency-key': `bench-app-${randomUUID()}`,
    },
    body: JSON.stringify({
      name: 'Bench',
      redirect_uris: ['https://bench.example/callback'],
      allowed_scopes: SCOPES,
    }),
  });
  if (response.status !== 201)
    throw new Error(`The app was not created: ${response.status} ${await response.text()}`);
  return (await response.json()) as BenchApp;
}
