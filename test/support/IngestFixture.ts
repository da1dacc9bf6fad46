import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { RequestContext } from '../../src/access/RequestContext.js';
import { RateLimiter } from '../../src/access/RateLimiter.js';
import { ReplayStorage } from '../../src/access/ReplayStorage.js';
import { Turns } from '../../src/concurrency/Turns.js';
import { OperatorLog } from '../../src/operators/OperatorLog.js';
import type { CommandContext } from '../../src/commands/CommandContext.js';
import { createConsentReceipt } from './createConsentReceipt.js';
import { createCustomer } from '../../src/commands/createCustomer.js';
import { createEntry } from '../../src/commands/createEntry.js';
import { newKeyTurns, runCommand } from '../../src/commands/runCommand.js';
import { putOntology } from '../../src/commands/putOntology.js';
import { revokeConsentReceipt } from '../../src/commands/revokeConsentReceipt.js';
import { configFrom } from '../../src/config.js';
import { Database } from '../../src/database/Database.js';
import { SharedCounter } from '../../src/database/SharedCounter.js';
import type { Row } from '../../src/database/Row.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { payloadHash } from '../../src/domain/idempotency.js';
import { newId } from '../../src/domain/ids.js';
import { DEFAULT_INTENT_RULES } from '../../src/domain/intents/IntentRules.js';
import type { Purpose } from '../../src/domain/purposes.js';
import type { AttributeRegistry } from '../../src/domain/resolution/attributeRule.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { HeldBodies } from '../../src/concurrency/HeldBodies.js';
import { createRegistry } from '../../src/http/metrics.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { runWorkflow } from '../../src/jobs/runWorkflow.js';
import { createContext } from '../../src/access/createContext.js';
import type { RequestServices, Services } from '../../src/Services.js';
import type { IngestClaimInput } from '../../schema/inputs/ClaimInput.js';
import type { IngestEventInput } from '../../schema/inputs/EventInput.js';
import { TEST_SECRETS_KEY } from './database.js';
import { insertApp } from './insertApp.js';

const OCCURRED_AT = '2026-01-02T03:04:05.000Z';

type Work = (services: Services, appId: string, subject: string) => Promise<unknown>;

interface IngestFixtureOptions {
  appId?: string;
  poolSize?: number;
  attributes?: AttributeRegistry;
}

/**
 * One app over a database, without a server: commands and jobs are called directly, by a clock that tests may
 * set.
 */
export class IngestFixture {
  readonly appId: string;
  readonly services: RequestServices;
  /** Undefined: the real time. */
  now: Date | undefined;
  /** What does the work of each queue. */
  protected readonly workers: Record<string, Work> = {
    customer: drainCustomer,
    workflow: runWorkflow,
  };

  constructor(
    url: string,
    { appId = newId('app'), poolSize = 8, attributes = {} }: IngestFixtureOptions = {},
  ) {
    const config = configFrom({ NODE_ENV: 'test', RATE_LIMITS: 'off' });
    this.appId = appId;
    const database = new Database({ url, poolSize });
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
      replayStorage: new ReplayStorage(config, createRegistry(), (rule) => new SharedCounter(database, rule)),
      turns: new Turns({ perApp: config.appConcurrency }),
      heldBodies: new HeldBodies(),
      parseTurns: new Turns({ perApp: 1, room: Infinity }),
      keyTurns: newKeyTurns(),
      signJws: () => Promise.reject(new Error('Nothing is signed here.')),
      clock: () => this.now ?? new Date(),
    };
  }

  addApp(): Promise<void> {
    return insertApp(this.services.database, this.appId, this.services.clock());
  }

  /** Makes the app and so many entries, `entry-0` to `entry-9`. */
  async prepare(): Promise<void> {
    await this.addApp();
    const fields = [{ name: 'title', type: 'string' as const }];
    await this.services.database.transaction('admin', (tx) =>
      putOntology(tx, { now: new Date() }, 'thing', { name: 'Thing', version: '1', fields }),
    );
    for (let index = 0; index < 10; index += 1)
      await this.command((tx, context) =>
        createEntry(tx, context, { ontology: 'thing', entryId: `entry-${index}` }),
      );
  }

  /** Runs a command as the app, now, without an idempotency key. */
  command<T>(work: (tx: Transaction, context: CommandContext) => Promise<T>): Promise<T> {
    const { clock } = this.services;
    const context = { appId: this.appId, now: clock(), clock, rejected: new Map() };
    return this.services.database.transaction(this.appId, (tx) => work(tx, context));
  }

  /** Runs a command as a door does: once per key. */
  request<T>(
    operation: string,
    input: unknown,
    work: (tx: Transaction, context: CommandContext) => Promise<T>,
    key = `test-${randomUUID()}`,
  ): Promise<T> {
    return runCommand(this.requestOf(operation, input, key), work);
  }

  /** A request of the app for an operation. */
  requestOf(operation: string, input: unknown, key = `test-${randomUUID()}`): RequestContext {
    const { services, appId } = this;
    const caller = { kind: 'app' as const, appId, clientId: appId, scopes: new Set<never>() };
    const command = { operation, key, payloadHash: payloadHash(operation, input), rejected: new Map() };
    return { ...createContext(services, caller, 'req_test'), command };
  }

  async addCustomer(...purposes: Purpose[]): Promise<{ id: string; receiptId: string }> {
    const { customer } = await this.command((tx, context) =>
      createCustomer(tx, context, { externalId: randomUUID() }),
    );
    return { id: customer.id, receiptId: await this.grant(customer.id, ...purposes) };
  }

  async grant(customerId: string, ...purposes: Purpose[]): Promise<string> {
    const receipt = await this.command((tx, context) =>
      createConsentReceipt(tx, context, { customerId, purposes }),
    );
    return receipt.id;
  }

  async revoke(receiptId: string): Promise<string> {
    const { workflowId } = await this.command((tx, context) =>
      revokeConsentReceipt(tx, context, receiptId, {}),
    );
    return workflowId;
  }

  event(customerId: string, fields: Partial<IngestEventInput> = {}): IngestEventInput {
    return {
      customerId,
      eventType: 'purchased',
      object: 'entry-0',
      consentPurpose: 'personalization',
      occurredAt: OCCURRED_AT,
      ...fields,
    };
  }

  claim(customerId: string, fields: Partial<IngestClaimInput> = {}): IngestClaimInput {
    return {
      customerId,
      consentPurpose: 'personalization',
      attribute: 'city',
      value: 'Bremen',
      source: 'till',
      observedAt: OCCURRED_AT,
      confidence: 0.9,
      provenance: { sourcePartner: 'till', collectedAt: OCCURRED_AT },
      ...fields,
    };
  }

  /** Does all the work of its workers that is ready now. */
  async work(): Promise<void> {
    for (;;) {
      const tasks = await this.services.database.read<{ queue: string; subject: string }>(
        {
          name: 'test_work',
          text: `SELECT queue, subject FROM work_queue WHERE app_id = $1 AND queue = ANY ($2)
            AND ready_at <= $3 ORDER BY queue, subject`,
        },
        [this.appId, Object.keys(this.workers), this.services.clock()],
      );
      if (tasks.length === 0) return;
      for (const { queue, subject } of tasks)
        while ((await this.workers[queue]?.(this.services, this.appId, subject)) === 'more') {
          // One bounded step after the other.
        }
    }
  }

  rows<T extends object = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.services.database.transaction(this.appId, (tx) => tx.query<T>(text, [this.appId, ...values]));
  }

  close(): Promise<void> {
    return this.services.database.close();
  }
}
