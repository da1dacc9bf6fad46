import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ReplayStorage } from './access/ReplayStorage.js';
import type { RateLimiter } from './access/RateLimiter.js';
import type { Turns } from './concurrency/Turns.js';
import type { Config } from './config.js';
import type { HeldBodies } from './concurrency/HeldBodies.js';
import type { ToldMetrics } from './http/metrics.js';
import type { OperatorLog } from './operators/OperatorLog.js';
import type { Database } from './database/Database.js';
import type { Replicas } from './database/Replicas.js';
import type { IntentRules } from './domain/intents/IntentRules.js';
import type { AttributeRegistry } from './domain/resolution/attributeRule.js';
import type { SecretBox } from './domain/SecretBox.js';
import type { Tracing } from './telemetry/tracing.js';

/** The services of background work. They do not depend on GraphQL or REST. */
export interface Services {
  config: Config;
  database: Database;
  secrets: SecretBox;
  /** Rules by which attributes are compared, age and are resolved. */
  attributes: AttributeRegistry;
  /** Rules that turn events into intents. */
  intents: IntentRules;
  log: Logger;
  metrics: Registry;
  /** Absent when no OTLP endpoint is configured. */
  tracing?: Tracing | undefined;
  clock: () => Date;
}

/** Further services, for a gateway's requests. Created once in `app.ts`. */
export interface RequestServices extends Services {
  /**
   * Replicas for reads of bodies after the gate was checked on the primary; absent without
   * `DATABASE_REPLICA_URLS`.
   */
  replicas?: Replicas;
  /** The audit log of operators. */
  operatorLog: OperatorLog;
  rateLimiter: RateLimiter;
  /** Bounds the storage of answers kept for replay. */
  replayStorage: ReplayStorage;
  /** Bounds the concurrent requests of each app. */
  turns: Turns;
  /** Bounds the bytes of each app's bodies that are held. */
  heldBodies: HeldBodies;
  /** Lets each app have one large body parsed, or one new document checked, at a time. */
  parseTurns: Turns;
  /** Runs one command at a time under each idempotency key. */
  keyTurns: Turns;
  /** Signs with the service's key: a compact JWS of this `typ`, verifiable from `/oauth/jwks`. */
  signJws: (typ: string, payload: object) => Promise<string>;
  /** Collects the metrics of other threads and processes; absent: there are none. */
  otherMetrics?: () => Promise<ToldMetrics[]>;
}
