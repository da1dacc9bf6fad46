import pino from 'pino';
import { RateLimiter } from '../../src/access/RateLimiter.js';
import { ReplayStorage } from '../../src/access/ReplayStorage.js';
import { Turns } from '../../src/concurrency/Turns.js';
import { OperatorLog } from '../../src/operators/OperatorLog.js';
import { configFrom } from '../../src/config.js';
import type { CommandContext } from '../../src/commands/CommandContext.js';
import { createConsentReceipt } from './createConsentReceipt.js';
import { createCustomer } from '../../src/commands/createCustomer.js';
import { ingestClaims } from '../../src/commands/ingestClaims.js';
import { Database } from '../../src/database/Database.js';
import { sharedCounter } from '../../src/database/sharedCounter.js';
import type { Row } from '../../src/database/Row.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { newId } from '../../src/domain/ids.js';
import { DEFAULT_INTENT_RULES } from '../../src/domain/intents/IntentRules.js';
import type { Purpose } from '../../src/domain/purposes.js';
import type { AttributeRegistry } from '../../src/domain/resolution/attributeRule.js';
import type { AccuracySnapshot, JsonValue } from '../../src/domain/resolution/types.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { createRegistry } from '../../src/http/metrics.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { learnSources } from '../../src/jobs/learning/learnSources.js';
import { runWorkflow } from '../../src/jobs/runWorkflow.js';
import type { RequestServices } from '../../src/Services.js';
import { createTestDatabase, TEST_SECRETS_KEY } from './database.js';

/** What one source says of one attribute. */
export interface Saying {
  attribute: string;
  value: JsonValue;
  source: string;
  confidence?: number;
  /** Default: the day before the fixture's first. */
  observedAt?: string;
}

const WORKERS = { customer: drainCustomer, workflow: runWorkflow, learning: learnSources };

interface Task extends Row {
  queue: keyof typeof WORKERS;
  subject: string;
}

/** Of five seconds each. */
const MAX_STEPS = 2000;

/**
 * One app with its database, a clock that stands until it is moved, and the workers of claims, workflows and
 * learning.
 */
export class LearningFixture {
  readonly appId = newId('app');
  readonly services: RequestServices;
  now = new Date('2026-01-01T00:00:00.000Z');
  private readonly drop: () => Promise<void>;

  private constructor(url: string, attributes: AttributeRegistry, drop: () => Promise<void>) {
    this.drop = drop;
    const config = configFrom({ NODE_ENV: 'test' });
    const database = new Database({ url, poolSize: 4 });
    this.services = {
      config,
      database,
      operatorLog: new OperatorLog(database, () => this.services.clock()),
      secrets: new SecretBox(TEST_SECRETS_KEY),
      attributes,
      intents: DEFAULT_INTENT_RULES,
      log: pino({ level: 'silent' }),
      metrics: createRegistry(),
      rateLimiter: new RateLimiter(config),
      replayStorage: new ReplayStorage(config, createRegistry(), (rule) => sharedCounter(database, rule)),
      turns: new Turns({ perApp: config.appConcurrency }),
      signJws: () => Promise.reject(new Error('Nothing is signed here.')),
      clock: () => this.now,
    };
  }

  static async open(attributes: AttributeRegistry = {}): Promise<LearningFixture> {
    const { serviceUrl, drop } = await createTestDatabase();
    const fixture = new LearningFixture(serviceUrl, attributes, drop);
    await fixture.addApp();
    return fixture;
  }

  private async addApp(): Promise<void> {
    await this.services.database.transaction(null, (tx) =>
      tx.execute(
        `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, allowed_mask, status,
          created_at, updated_at)
         VALUES ($1, 'Test', 'public', '{}', '{}', 127, 'active', $2, $2)`,
        [this.appId, this.now],
      ),
    );
  }

  /** Runs a command as the app, now. */
  command<T>(work: (tx: Transaction, context: CommandContext) => Promise<T>): Promise<T> {
    const context = { appId: this.appId, now: this.now, clock: () => this.now, rejected: new Map() };
    return this.services.database.transaction(this.appId, (tx) => work(tx, context));
  }

  /** A customer that granted the purposes; its id and its receipt's. */
  async addCustomer(externalId: string, purposes: Purpose[]): Promise<{ id: string; receiptId: string }> {
    const { customer } = await this.command((tx, context) => createCustomer(tx, context, { externalId }));
    const receipt = await this.command((tx, context) =>
      createConsentReceipt(tx, context, { customerId: customer.id, purposes }),
    );
    return { id: customer.id, receiptId: receipt.id };
  }

  async say(customerId: string, consentPurpose: Purpose, sayings: readonly Saying[]): Promise<void> {
    const collectedAt = '2025-12-31T00:00:00.000Z';
    const claims = sayings.map((saying) => ({
      confidence: 0.9,
      observedAt: collectedAt,
      ...saying,
      customerId,
      consentPurpose,
      provenance: { sourcePartner: saying.source, collectedAt },
    }));
    await this.command((tx, context) => ingestClaims(tx, context, { claims }));
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  /** Does all the work that is ready now. */
  async work(): Promise<void> {
    for (;;) {
      const tasks = await this.rows<Task>(
        `SELECT queue, subject FROM work_queue WHERE app_id = $1
          AND queue IN ('customer', 'workflow', 'learning') AND ready_at <= '${this.now.toISOString()}'
          ORDER BY queue, subject`,
      );
      if (tasks.length === 0) return;
      for (const { queue, subject } of tasks) await this.finish(queue, subject);
    }
  }

  private async finish(queue: Task['queue'], subject: string): Promise<void> {
    while ((await WORKERS[queue](this.services, this.appId, subject)) === 'more') {
      // One bounded step after the other.
    }
  }

  /**
   * Whether a learning is requested or at work. On a slow machine one rests long: its pause grows with what
   * the last one took.
   */
  private async isLearning(): Promise<boolean> {
    const waiting = `SELECT 1 FROM work_queue WHERE app_id = $1 AND queue = 'learning'
      AND subject NOT LIKE '%/daily'`;
    return (await this.rows(waiting)).length > 0;
  }

  /** Lets enough time pass for what was requested to be learned and for the facts to be made anew. */
  async learn(): Promise<void> {
    await this.work();
    for (let step = 0; step < 8 || (step < MAX_STEPS && (await this.isLearning())); step += 1) {
      this.advance(5);
      await this.work();
    }
  }

  rows<T extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.services.database.transaction(this.appId, (tx) => tx.query<T>(text, [this.appId, ...values]));
  }

  /** What has been learned for a purpose, by its place. */
  async snapshot(purpose: number): Promise<AccuracySnapshot | undefined> {
    const [row] = await this.rows<{ snapshot: string }>(
      'SELECT snapshot FROM source_accuracies WHERE app_id = $1 AND purpose = $2',
      [purpose],
    );
    return row === undefined ? undefined : (JSON.parse(row.snapshot) as AccuracySnapshot);
  }

  async close(): Promise<void> {
    await this.services.database.close();
    await this.drop();
  }
}
