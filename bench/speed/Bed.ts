import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import { PEERS } from './installPeers.js';
import { ServerProcess } from './ServerProcess.js';

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

/** A PostgreSQL of the run's own and the servers that read it. */
export class Bed {
  readonly ownerUrl: string;
  readonly ours: ServerProcess;
  readonly appId: string;
  private readonly secret: string;
  private readonly others: ServerProcess[] = [];
  private readonly stopDatabase: () => Promise<void>;

  private constructor(ownerUrl: string, stop: () => Promise<void>, ours: ServerProcess, app: AppAnswer) {
    this.ownerUrl = ownerUrl;
    this.stopDatabase = stop;
    this.ours = ours;
    this.appId = app.app_id;
    this.secret = app.client_secret;
  }

  static async open(): Promise<Bed> {
    const dataDir = mkdtempSync(join(tmpdir(), 'consent-bench-'));
    const log = { info: () => undefined, warn: (message: string) => console.warn(message) };
    const postgres = await startEmbeddedPostgres({ dataDir, log, systemRoom: join(dataDir, 'system') });
    const stop = async (): Promise<void> => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    const ours = await startOurs(postgres.url);
    return new Bed(postgres.url, stop, ours, await registerApp(ours.port));
  }

  /** A fresh access token: they live 15 minutes. */
  async token(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.ours.port}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${this.appId}:${this.secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES.join(' ') }),
    });
    const { access_token } = (await response.json()) as { access_token?: string };
    if (access_token === undefined) throw new Error(`No token: ${response.status}`);
    return access_token;
  }

  /** Starts a peer; `name` is its file and, after a dash, its argument. */
  async startPeer(name: string, token: string): Promise<ServerProcess> {
    const [file = '', ...args] = name.split('-');
    const env = { DATABASE_URL: this.ownerUrl, APP_ID: this.appId, TOKEN: token, PORT: '0', NODE_ENV: 'production' };
    const server = await ServerProcess.start(name, join(PEERS, `${file}.mjs`), env, args);
    this.others.push(server);
    return server;
  }

  /** One more process of the service over the same database. */
  async addOurs(env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    const server = await startOurs(this.ownerUrl, env);
    this.others.push(server);
    return server;
  }

  async close(): Promise<void> {
    for (const server of [...this.others, this.ours]) await server.stop();
    await this.stopDatabase();
  }
}

interface AppAnswer {
  app_id: string;
  client_secret: string;
}

function startOurs(databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  return ServerProcess.start('ours', join(import.meta.dirname, 'serveOurs.js'), {
    NODE_ENV: 'production',
    PORT: '0',
    ROLE: 'gateway',
    DATABASE_URL: databaseUrl,
    ADMIN_KEYS: ADMIN_KEY,
    SECRETS_KEY: 'bench-secrets-key-of-at-least-32-characters',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...env,
  });
}

async function registerApp(port: number): Promise<AppAnswer> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/apps`, {
    method: 'POST',
    headers: {
      'x-service-admin-key': ADMIN_KEY,
      'content-type': 'application/json',
      'idempotency-key': 'bench-app-000000001',
    },
    body: JSON.stringify({ name: 'Bench', redirect_uris: ['https://bench.example/callback'], allowed_scopes: SCOPES }),
  });
  if (response.status !== 201) throw new Error(`The app was not created: ${response.status} ${await response.text()}`);
  return (await response.json()) as AppAnswer;
}
