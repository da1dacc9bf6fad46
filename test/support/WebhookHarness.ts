import { announceAll } from '../../src/database/outbox.js';
import { Database } from '../../src/database/Database.js';
import type { Row } from '../../src/database/Row.js';
import { registerWebhookEndpoint } from '../../src/commands/registerWebhookEndpoint.js';
import type { WebhookEndpointSecretPayload } from '../../schema/types/Webhook.js';
import { newId } from '../../src/domain/ids.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import type { WebhookMessage } from '../../src/domain/webhooks/WebhookMessage.js';
import { WebhookWorker } from '../../src/jobs/webhooks/WebhookWorker.js';
import type { WebhookWorkerOptions } from '../../src/jobs/webhooks/WebhookWorker.js';
import { TEST_SECRETS_KEY, createTestDatabase } from './database.js';
import { insertApp } from './insertApp.js';
import { LOCAL_NETWORK, entryMessage } from './webhookFixtures.js';

export interface DeliveryRow {
  delivery_id: string;
  endpoint_id: string;
  status: string;
  error_code: string | null;
  attempts: number;
  sequence: number | null;
  next_attempt_at: string | null;
  workflow_id: string;
  workflow_status: string;
  workflow_error: { code: string; message: string } | null;
}

/**
 * One app with its database, a clock that stands until it is moved, and a worker that is driven round by
 * round.
 */
export class WebhookHarness {
  readonly database: Database;
  readonly secrets = new SecretBox(TEST_SECRETS_KEY);
  readonly appId = newId('app');
  readonly errors: unknown[] = [];
  now = new Date('2026-01-01T00:00:00.000Z');
  worker: WebhookWorker;
  private readonly drop: () => Promise<void>;

  private constructor(url: string, drop: () => Promise<void>) {
    this.database = new Database({ url, poolSize: 8 });
    this.drop = drop;
    this.worker = this.newWorker();
  }

  static async open(): Promise<WebhookHarness> {
    const { serviceUrl, drop } = await createTestDatabase();
    const harness = new WebhookHarness(serviceUrl, drop);
    await harness.addApp(harness.appId);
    return harness;
  }

  newWorker(options: Partial<WebhookWorkerOptions> = {}): WebhookWorker {
    return new WebhookWorker({
      database: this.database,
      secrets: this.secrets,
      clock: () => this.now,
      network: LOCAL_NETWORK,
      onError: (error) => this.errors.push(error),
      random: () => 0.5,
      ...options,
    });
  }

  addApp(appId: string): Promise<void> {
    return insertApp(this.database, appId, this.now);
  }

  async register(
    url: string,
    enabledEvents = ['*'],
    appId = this.appId,
  ): Promise<WebhookEndpointSecretPayload> {
    const tools = { secrets: this.secrets, policy: LOCAL_NETWORK.policy };
    return this.database.transaction(appId, (tx) =>
      registerWebhookEndpoint(tx, { appId, now: this.now }, { url, enabledEvents }, tools),
    );
  }

  async announce(...messages: WebhookMessage[]): Promise<void> {
    await this.database.transaction(this.appId, async (tx) => announceAll(tx, messages));
  }

  /** A change that no consent gates. */
  async announceEntry(entryId = 'e1'): Promise<void> {
    await this.announce(entryMessage(entryId));
  }

  /** A customer with the purposes of `mask` granted, each in its first epoch. */
  async addCustomer(mask: number): Promise<string> {
    const id = newId('cus');
    await this.database.transaction(this.appId, async (tx) => {
      await tx.execute(
        `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
          VALUES ($1, $2, $2, 'active', $3, $3)`,
        [this.appId, id, this.now],
      );
      await tx.execute(
        `INSERT INTO customer_heads (app_id, customer_id, granted_mask, epochs, changed_at)
          VALUES ($1, $2, $3, '{1,1,1,1,1,1,1}', $4)`,
        [this.appId, id, mask, this.now],
      );
    });
    return id;
  }

  async setMask(customerId: string, mask: number): Promise<void> {
    await this.run('UPDATE customer_heads SET granted_mask = $3 WHERE app_id = $1 AND customer_id = $2', [
      this.appId,
      customerId,
      mask,
    ]);
  }

  async run(text: string, values: unknown[]): Promise<void> {
    await this.database.transaction(this.appId, (tx) => tx.execute(text, values));
  }

  /** Dispatches and attempts what is due at `now`, and waits until all attempts are recorded. */
  async work(worker = this.worker): Promise<void> {
    while ((await worker.dispatchRound()) > 0);
    do await worker.idle();
    while ((await worker.deliveryRound()) > 0);
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  async deliveries(): Promise<DeliveryRow[]> {
    return this.database.transaction(this.appId, (tx) =>
      tx.query<DeliveryRow>(
        `SELECT d.*, w.status AS workflow_status, w.error AS workflow_error
           FROM webhook_deliveries d LEFT JOIN workflows w ON w.app_id = d.app_id
             AND w.workflow_id = d.workflow_id
          WHERE d.app_id = $1 ORDER BY d.delivery_id`,
        [this.appId],
      ),
    );
  }

  async delivery(): Promise<DeliveryRow> {
    const [row] = await this.deliveries();
    if (row === undefined) throw new Error('There is no delivery.');
    return row;
  }

  async rows(text: string, values: unknown[] = [this.appId]): Promise<Row[]> {
    return this.database.transaction(this.appId, (tx) => tx.query(text, values));
  }

  /** Removes endpoints, deliveries and messages, for the next test. */
  async clear(): Promise<void> {
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'outbox', 'workflows', 'work_queue']) {
      await this.run(`DELETE FROM ${table} WHERE app_id = $1`, [this.appId]);
    }
    this.errors.length = 0;
    this.worker = this.newWorker();
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.drop();
  }
}
