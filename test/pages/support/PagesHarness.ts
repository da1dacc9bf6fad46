import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { expect } from 'chai';
import type pg from 'pg';
import type { RunningService } from '../../../src/app.js';
import { startService } from '../../../src/app.js';
import { configFrom } from '../../../src/config.js';
import type { Environment } from '../../../src/config.js';
import { freePort } from '../../support/freePort.js';
import { newId } from '../../../src/domain/ids.js';
import type { Scope } from '../../../src/domain/scopes.js';
import { ALL_SCOPES } from '../../../src/domain/scopes.js';
import { createAccount } from '../../../src/accounts/createAccount.js';
import { fetchToken } from '../../support/registerApp.js';
import type { TestDatabase } from '../../support/database.js';
import { createTestDatabase, TEST_SECRETS_KEY } from '../../support/database.js';
import { sampleLogo } from './sampleLogo.js';

export const PARTNER = 'Acme Outfitters';

/** The password of everybody in these tests. */
export const PASSWORD = 'gravel orchid teapot nine';

/** The administrative key of these tests. */
export const ADMIN_KEY = 'admin-key-of-the-tests';

type Json = Record<string, unknown>;

/** A connection session as REST answers it. */
export interface RestSession extends Json {
  id: string;
  status: string;
}

export interface NewSession {
  session: RestSession;
  client_token: string;
  connection_url: string;
}

interface Partner {
  appId: string;
  token: string;
  customerId: string;
}

/**
 * The whole service in this process, with a partner that uses it over REST. The clock that the pages go by
 * can be moved.
 */
export class PagesHarness {
  readonly running: RunningService;
  /** Where the partner wants people back. */
  readonly redirectUri: string;
  partner: Partner = { appId: '', token: '', customerId: '' };
  private readonly store: TestDatabase;
  private readonly shop: Server;
  private movedMs = 0;
  private stopped: Promise<void> | undefined;

  private constructor(running: RunningService, store: TestDatabase, shop: Server, redirectUri: string) {
    this.running = running;
    this.store = store;
    this.shop = shop;
    this.redirectUri = redirectUri;
    running.services.clock = () => new Date(Date.now() + this.movedMs);
  }

  static async open(more: Environment = {}): Promise<PagesHarness> {
    const store = await createTestDatabase();
    const shop = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Acme</title>Welcome back');
    });
    const shopPort = await freePort();
    await new Promise<void>((resolve) => shop.listen(shopPort, 'localhost', resolve));
    const env = {
      NODE_ENV: 'test',
      PORT: String(await freePort()),
      HOST: 'localhost',
      ADMIN_KEYS: ADMIN_KEY,
      SECRETS_KEY: TEST_SECRETS_KEY,
      DATABASE_URL: store.ownerUrl,
      RATE_LIMITS: 'off',
      ...more,
    };
    const running = await startService(configFrom(env));
    const harness = new PagesHarness(running, store, shop, `http://localhost:${shopPort}/back?shop=1`);
    harness.partner = await harness.newPartner(PARTNER, {
      client_uri: 'https://www.acme.example/',
      tos_uri: 'https://www.acme.example/terms',
      policy_uri: 'https://www.acme.example/privacy',
      logo: await sampleLogo([179, 64, 42]),
    });
    return harness;
  }

  get baseUrl(): string {
    return this.running.services.config.baseUrl;
  }

  /** Registers an app as an operator would, and gives it a token and a customer. */
  async newPartner(name: string, identity: Json = {}): Promise<Partner> {
    const app = await this.call<{ app_id: string; client_id: string; client_secret: string }>(
      'POST',
      '/v1/apps',
      {
        name,
        redirect_uris: [this.redirectUri, 'https://acme.example/app'],
        allowed_scopes: ALL_SCOPES,
        ...identity,
      },
      { 'x-service-admin-key': ADMIN_KEY },
    );
    const token = await fetchToken(this.baseUrl, { appId: app.client_id, clientSecret: app.client_secret });
    const headers = { Authorization: `Bearer ${token}` };
    const made = await this.call<{ customer: { id: string } }>(
      'POST',
      '/v1/customers',
      { external_id: 'maya' },
      headers,
    );
    return { appId: app.app_id, token, customerId: made.customer.id };
  }

  /** A link that the partner got for its customer. */
  async newSession(input: Json = {}, partner = this.partner): Promise<NewSession> {
    const body = {
      customer_id: partner.customerId,
      requested_purposes: ['account_linking', 'personalization', 'analytics'],
      redirect_uri: this.redirectUri,
      ...input,
    };
    return this.call('POST', '/v1/connection-sessions', body, bearer(partner));
  }

  async session(id: string): Promise<RestSession> {
    return this.call('GET', `/v1/connection-sessions/${id}`, undefined, bearer(this.partner));
  }

  async cancel(id: string): Promise<RestSession> {
    return this.call('DELETE', `/v1/connection-sessions/${id}`, undefined, bearer(this.partner));
  }

  /** Records what the person approved, as the partner does after the return. */
  async recordConsent(
    sessionId: string,
    purposes: string[],
    partner = this.partner,
    more: Json = {},
  ): Promise<Json & { id: string }> {
    const body = {
      customer_id: partner.customerId,
      connection_session_id: sessionId,
      purposes,
      terms_version: '2026-11',
      privacy_policy_version: '7',
      ...more,
    };
    return this.call('POST', '/v1/consent-receipts', body, bearer(partner));
  }

  /** A REST call as the partner; any status. */
  async attempt(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = bearer(this.partner),
  ) {
    const answer = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'Idempotency-Key': newId('evt') }),
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
  }

  /**
   * An account (`newAccount`) that is a member of the partner's app. Its address.
   */
  async newMember(scopes: Scope[]): Promise<string> {
    const { accountId, email } = await this.newAccount();
    await this.sql(
      `INSERT INTO app_members (app_id, account_id, scopes, created_at, updated_at)
        VALUES ($1, $2, $3, now(), now())`,
      [this.partner.appId, accountId, scopes],
    );
    return email;
  }

  /** Somebody's account of a proved address, with the password of the tour. */
  async newAccount(): Promise<{ accountId: string; email: string }> {
    const email = `person-${newId('acc')}@example.org`;
    const { database } = this.running.services;
    const { accountId } = await createAccount(database, { email, password: PASSWORD }, new Date());
    return { accountId, email };
  }

  /** A statement as the owner of the database. */
  sql(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Record<string, unknown>>> {
    return this.store.sql(text, values);
  }

  /** Lets time pass for the pages and both doors. */
  passSeconds(seconds: number): void {
    this.movedMs += seconds * 1000;
  }

  /** Stops the service, as SIGTERM does; the database stays until `close`. */
  stop(): Promise<void> {
    return (this.stopped ??= this.running.stop());
  }

  async close(): Promise<void> {
    this.shop.closeAllConnections();
    this.shop.close();
    await this.stop();
    await this.store.drop();
  }

  private async call<T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<T> {
    const answer = await this.attempt(method, path, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 299);
    return answer.body as T;
  }
}

export function bearer(partner: { token: string }): Record<string, string> {
  return { Authorization: `Bearer ${partner.token}` };
}
