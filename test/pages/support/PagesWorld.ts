import type { Server } from 'node:http';
import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';
import { pino } from 'pino';
import { cancelConnectionSession } from '../../../src/commands/cancelConnectionSession.js';
import type {
  CreateConnectionSessionInput,
  CreateConnectionSessionPayload,
} from '../../../src/commands/createConnectionSession.js';
import { createConnectionSession } from '../../../src/commands/createConnectionSession.js';
import { readConnectionSession } from '../../../src/commands/readConnectionSession.js';
import { configFrom } from '../../../src/config.js';
import { Database } from '../../../src/database/Database.js';
import { freePort } from '../../../src/database/embedded/freePort.js';
import type { StoredSession } from '../../../src/domain/connectionSession.js';
import { SecretBox } from '../../../src/domain/SecretBox.js';
import { pagesRouter } from '../../../src/http/pagesRouter.js';
import type { PageServices } from '../../../src/http/PageServices.js';
import type { TestDatabase } from '../../support/database.js';
import { createTestDatabase, TEST_SECRETS_KEY } from '../../support/database.js';

export const PARTNER = 'Acme Outfitters';
const APP = 'app_acme';
const CUSTOMER = 'cus_maya';

/** The pages over a real database, and the partner whose links they show. The clock can be moved. */
export class PagesWorld {
  readonly appId = APP;
  readonly customerId = CUSTOMER;
  private movedMs = 0;

  private constructor(
    readonly baseUrl: string,
    readonly services: PageServices,
    readonly owner: pg.Client,
    private readonly store: TestDatabase,
    private readonly server: Server,
    private readonly partner: Server,
    /** Where the partner wants people back. */
    readonly redirectUri: string,
  ) {}

  static async open(): Promise<PagesWorld> {
    const store = await createTestDatabase();
    const owner = new pg.Client({ connectionString: store.ownerUrl });
    await owner.connect();
    const partner = createServer((_request, response) =>
      response.end('<!doctype html><title>Acme</title>Welcome back'),
    );
    const partnerPort = await listen(partner);
    const port = await freePort();
    const env = { NODE_ENV: 'test', PORT: String(port), ADMIN_KEYS: 'x'.repeat(16), SECRETS_KEY: TEST_SECRETS_KEY };
    const services: PageServices = {
      config: configFrom(env),
      database: new Database({ url: store.serviceUrl, poolSize: 6 }),
      secrets: new SecretBox(TEST_SECRETS_KEY),
      log: pino({ level: 'silent' }),
      clock: () => new Date(Date.now() + world.movedMs),
    };
    const server = createServer(express().use(pagesRouter(services)));
    const redirectUri = `http://localhost:${partnerPort}/back?shop=1`;
    const world = new PagesWorld(services.config.baseUrl, services, owner, store, server, partner, redirectUri);
    await listen(server, port);
    await world.seed();
    return world;
  }

  /** A link that the partner got for its customer. */
  async newSession(input: Partial<CreateConnectionSessionInput> = {}): Promise<CreateConnectionSessionPayload> {
    const context = { appId: APP, clock: this.services.clock, baseUrl: this.baseUrl };
    const whole: CreateConnectionSessionInput = {
      customerId: CUSTOMER,
      requestedPurposes: ['account_linking', 'personalization', 'analytics'],
      redirectUri: this.redirectUri,
      ...input,
    };
    return this.services.database.transaction(APP, (tx) => createConnectionSession(tx, context, whole));
  }

  async cancel(sessionId: string): Promise<void> {
    const context = { appId: APP, clock: this.services.clock };
    await this.services.database.transaction(APP, (tx) => cancelConnectionSession(tx, context, { id: sessionId }));
  }

  async session(sessionId: string): Promise<StoredSession | undefined> {
    return readConnectionSession(this.services, APP, sessionId);
  }

  /** Lets time pass for the service. */
  passSeconds(seconds: number): void {
    this.movedMs += seconds * 1000;
  }

  async close(): Promise<void> {
    for (const server of [this.server, this.partner]) {
      server.closeAllConnections();
      server.close();
    }
    await this.owner.end();
    await this.services.database.close();
    await this.store.drop();
  }

  private async seed(): Promise<void> {
    await this.owner.query(
      `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, allowed_mask, status, created_at, updated_at)
       VALUES ($1, $2, 'public', ARRAY[$3, 'https://acme.example/app'], '{profile:read}', 127, 'active', now(), now())`,
      [APP, PARTNER, this.redirectUri],
    );
    await this.owner.query(
      `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
       VALUES ($1, $2, 'maya', 'active', now(), now())`,
      [APP, CUSTOMER],
    );
    await this.owner.query(`INSERT INTO customer_heads (app_id, customer_id, changed_at) VALUES ($1, $2, now())`, [
      APP,
      CUSTOMER,
    ]);
  }
}

async function listen(server: Server, port?: number): Promise<number> {
  const chosen = port ?? (await freePort());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(chosen, 'localhost', resolve);
  });
  return chosen;
}
