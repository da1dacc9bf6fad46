import type { RunningService, Surroundings } from '../../src/app.js';
import { startService } from '../../src/app.js';
import type { Environment } from '../../src/config.js';
import { configFrom } from '../../src/config.js';
import { freePort } from './freePort.js';
import type { Scope } from '../../src/domain/scopes.js';
import type { RequestServices } from '../../src/Services.js';
import type { TestDatabase } from './database.js';
import { createTestDatabase, TEST_SECRETS_KEY } from './database.js';
import { administratorAt, fetchToken, registerApp, TEST_ADMIN_KEY } from './registerApp.js';
import type { TestAppFields } from './registerApp.js';
import type { Json } from './TestPartner.js';
import { TestPartner } from './TestPartner.js';

/** The environment of a test service on a port. */
export function testEnvironment(port: number, databaseUrl: string, env: Environment = {}): Environment {
  return {
    NODE_ENV: 'test',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: TEST_SECRETS_KEY,
    ADMIN_KEYS: TEST_ADMIN_KEY,
    RATE_LIMITS: 'off',
    ...env,
  };
}

/**
 * The whole service in this process, on a port of its own and with a migrated database of its own. One for a
 * test file.
 */
export class TestService {
  readonly database: TestDatabase;
  private readonly env: Environment;
  private readonly nodes: RunningService[];

  private get node(): RunningService {
    const [node] = this.nodes;
    if (node === undefined) throw new Error('The service was stopped.');
    return node;
  }

  private constructor(database: TestDatabase, env: Environment, first: RunningService) {
    this.database = database;
    this.env = env;
    this.nodes = [first];
  }

  static async start(env: Environment = {}): Promise<TestService> {
    const database = await createTestDatabase();
    return new TestService(database, env, await startNode(database, env));
  }

  get url(): string {
    return this.node.url;
  }

  /** Where health and metrics are, when they have a port of their own. */
  get operationsUrl(): string {
    return this.node.operationsUrl ?? this.url;
  }

  /** What the service runs on; tests may set its `clock`. */
  get services(): RequestServices {
    return this.node.services;
  }

  /** One more node over the same database; its address. */
  async addNode(env: Environment = {}, surroundings: Surroundings = {}): Promise<string> {
    const node = await startNode(this.database, { ...this.env, ...env }, surroundings);
    this.nodes.push(node);
    return node.url;
  }

  async stop(): Promise<void> {
    for (const node of this.nodes.splice(0)) await node.stop();
    await this.database.drop();
  }

  /** The holder of the administrative key. */
  get admin(): TestPartner {
    return administratorAt(this.url);
  }

  /** Somebody without any credential. */
  get nobody(): TestPartner {
    return new TestPartner(this.url, {});
  }

  /** A new app that is allowed the scopes (all of them when none is named), with a token of all of them. */
  async makeApp(...scopes: Scope[]): Promise<TestPartner> {
    return this.makeAppWith(scopes.length === 0 ? {} : { allowed_scopes: scopes });
  }

  makeAppWith(fields: TestAppFields): Promise<TestPartner> {
    return registerApp(this.url, fields);
  }

  /** The same app with a token of just these scopes. */
  async narrowed(app: TestPartner, ...scopes: Scope[]): Promise<TestPartner> {
    return new TestPartner(this.url, { authorization: `Bearer ${await this.token(app, ...scopes)}` }, app);
  }

  /** A fresh access token of the app: of the scopes named, else of all that it is allowed. */
  token(app: { appId: string; clientSecret: string }, ...scopes: Scope[]): Promise<string> {
    return fetchToken(this.url, app, ...scopes);
  }

  /** Rows of the database, as its owner: for looking, never for the service. */
  async sql(text: string, values: readonly unknown[] = []): Promise<Json[]> {
    const { rows } = await this.database.sql(text, values);
    return rows as Json[];
  }
}

async function startNode(
  database: TestDatabase,
  env: Environment,
  surroundings: Surroundings = {},
): Promise<RunningService> {
  for (let tries = 1; ; tries += 1) {
    try {
      const config = configFrom(testEnvironment(await freePort(), database.ownerUrl, env));
      return await startService(config, surroundings);
    } catch (error) {
      // Somebody else took the port since it was found free.
      if (tries === 5 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'))
        throw error;
    }
  }
}
