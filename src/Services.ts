import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Database } from './database/Database.js';
import type { AttributeRegistry } from './domain/resolution/attributeRule.js';
import type { SecretBox } from './domain/SecretBox.js';

/** What one process shares among its requests and jobs. Made once in `app.ts`; nothing in it knows a door. */
export interface Services {
  config: Config;
  database: Database;
  secrets: SecretBox;
  /** How attributes are compared, age and resolve. */
  attributes: AttributeRegistry;
  log: Logger;
  clock: () => Date;
}
