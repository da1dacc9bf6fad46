import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { pino } from 'pino';
import type { Config, Environment } from '../../src/config.js';
import { configFrom } from '../../src/config.js';
import { Database } from '../../src/database/Database.js';
import { Notices } from '../../src/database/Notices.js';
import { freePort } from '../support/freePort.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { newId } from '../../src/domain/ids.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { AuthorizationServices } from '../../src/accounts/AccountServices.js';
import type { AuthorizationServer } from '../../src/oauth/createAuthorizationServer.js';
import { createAuthorizationServer } from '../../src/oauth/createAuthorizationServer.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { hashPassword } from '../../src/accounts/passwordHash.js';
import type { TestDatabase } from '../support/database.js';
import { createTestDatabase, TEST_SECRETS_KEY } from '../support/database.js';

export const REDIRECT_URI = 'https://partner.example/callback';
export const PASSWORD = 'three-otters-play-chess';

export interface TestApp {
  appId: string;
  secret: string;
}

export interface TestNode {
  config: Config;
  services: AuthorizationServices;
  server: AuthorizationServer;
  stop: () => Promise<void>;
}

/** A running authorization server with its own database, as one node of possibly several. */
export class OauthHarness {
  readonly node: TestNode;
  private readonly testDatabase: TestDatabase;
  private readonly others: TestNode[] = [];

  private constructor(testDatabase: TestDatabase, node: TestNode) {
    this.testDatabase = testDatabase;
    this.node = node;
  }

  static async open(env: Environment = {}): Promise<OauthHarness> {
    const testDatabase = await createTestDatabase();
    return new OauthHarness(testDatabase, await startNode(testDatabase.serviceUrl, env));
  }

  get baseUrl(): string {
    return this.node.config.baseUrl;
  }

  get database(): Database {
    return this.node.services.database;
  }

  /** One more node over the same database. */
  async addNode(env: Environment = {}): Promise<TestNode> {
    const node = await startNode(this.testDatabase.serviceUrl, env);
    this.others.push(node);
    return node;
  }

  async close(): Promise<void> {
    for (const node of [...this.others, this.node]) await node.stop();
    await this.testDatabase.drop();
  }

  async addApp(overrides: Partial<AppFields> = {}): Promise<TestApp> {
    const secret = `secret-${newId('app')}`;
    const app = { ...APP, appId: newId('app'), ...overrides };
    const hash = app.clientType === 'confidential' ? hashSecretToken(secret) : null;
    await this.sql(
      `INSERT INTO apps (app_id, name, client_type, client_secret_hash, redirect_uris, allowed_scopes,
        allowed_mask, status, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, 127, 'active', now(), now())`,
      [app.appId, app.name, app.clientType, hash, app.redirectUris, app.allowedScopes],
    );
    return { appId: app.appId, secret };
  }

  async addAccount(email: string, memberOf: Record<string, string[]> = {}): Promise<string> {
    const accountId = newId('acc');
    await this.sql(`INSERT INTO accounts VALUES ($1, $2, true, $3, null, null, now(), now())`, [
      accountId,
      email,
      await hashPassword(PASSWORD),
    ]);
    for (const [appId, scopes] of Object.entries(memberOf)) {
      await this.sql(`INSERT INTO app_members VALUES ($1, $2, $3, now(), now())`, [appId, accountId, scopes]);
    }
    return accountId;
  }

  async sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const result = await this.database.pool.query(text, values);
    return result.rows as Record<string, unknown>[];
  }

  post(path: string, fields: Record<string, string> | string, app?: TestApp): Promise<Response> {
    const credentials = app && Buffer.from(`${app.appId}:${app.secret}`).toString('base64');
    return fetch(this.baseUrl + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
      },
      body: typeof fields === 'string' ? fields : new URLSearchParams(fields),
    });
  }

  /** A token of the app itself (client credentials). */
  async appToken(app: TestApp, scope?: string): Promise<string> {
    const answer = await this.post(
      '/oauth/token',
      { grant_type: 'client_credentials', ...(scope ? { scope } : {}) },
      app,
    );
    const body = (await answer.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`);
    return body.access_token;
  }
}

interface AppFields {
  appId: string;
  name: string;
  clientType: 'public' | 'confidential';
  redirectUris: string[];
  allowedScopes: string[];
}

const APP = {
  name: 'Harbour Books',
  clientType: 'confidential' as const,
  redirectUris: [REDIRECT_URI],
  allowedScopes: [...ALL_SCOPES] as string[],
};

async function startNode(databaseUrl: string, env: Environment): Promise<TestNode> {
  const port = Number(env['PORT'] ?? (await freePort()));
  const config = configFrom({
    NODE_ENV: 'test',
    PORT: String(port),
    SECRETS_KEY: TEST_SECRETS_KEY,
    DATABASE_URL: databaseUrl,
    ...env,
  });
  const database = new Database({ url: databaseUrl, poolSize: 4 });
  const log = pino({ level: 'silent' });
  const clock = (): Date => new Date();
  const services: AuthorizationServices = {
    config,
    database,
    log,
    notices: new Notices({ database, log, clock }),
    clock,
    secrets: new SecretBox(config.secrets.secretsKey),
  };
  const server = await createAuthorizationServer(services);
  await services.notices.start();
  const http = createServer(express().use(server.router)).listen(port, '127.0.0.1');
  await once(http, 'listening');
  if ((http.address() as AddressInfo).port !== port) throw new Error('The port is taken.');
  const stop = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    server.stop();
    await services.notices.close();
    await database.close();
  };
  return { config, services, server, stop };
}
