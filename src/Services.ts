import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ReplayStorage } from './access/ReplayStorage.js';
import type { RateLimiter } from './access/RateLimiter.js';
import type { Turns } from './access/Turns.js';
import type { Config } from './config.js';
import type { ToldMetrics } from './http/metrics.js';
import type { OperatorLog } from './operators/OperatorLog.js';
import type { Database } from './database/Database.js';
import type { Replicas } from './database/Replicas.js';
import type { IntentRules } from './domain/intents/IntentRules.js';
import type { AttributeRegistry } from './domain/resolution/attributeRule.js';
import type { SecretBox } from './domain/SecretBox.js';
import type { Tracing } from './telemetry/tracing.js';

/** What background work shares. Nothing in it knows a door. */
export interface Services {
  config: Config;
  database: Database;
  secrets: SecretBox;
  /** How attributes are compared, age and resolve. */
  attributes: AttributeRegistry;
  /** How events become intents. */
  intents: IntentRules;
  log: Logger;
  metrics: Registry;
  /** Absent where no OTLP endpoint is configured. */
  tracing?: Tracing | undefined;
  clock: () => Date;
}

/** What a gateway's requests share besides. Made once in `app.ts`. */
export interface RequestServices extends Services {
  /** Where bodies may be read whose gate the primary has opened; absent without `DATABASE_REPLICA_URLS`. */
  replicas?: Replicas;
  /** What operators do is recorded here. */
  operatorLog: OperatorLog;
  rateLimiter: RateLimiter;
  /** What answers kept for replay may take. */
  replayStorage: ReplayStorage;
  /** Bounds what an app has in work at once. */
  turns: Turns;
  /** Signs with the service's key: a compact JWS, verifiable from `/oauth/jwks`. */
  signJws: (payload: object) => Promise<string>;
  /** Asks what works beside this thread for its metrics; absent: nothing does. */
  otherMetrics?: () => Promise<ToldMetrics[]>;
}
