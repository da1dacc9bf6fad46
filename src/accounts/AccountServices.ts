import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from '../database/Database.js';
import type { Notices } from '../database/Notices.js';
import type { SecretBox } from '../domain/SecretBox.js';

/** Dependencies of accounts, the authorization server and the pages. */
export interface AccountServices {
  config: Config;
  database: Database;
  log: Logger;
  clock: () => Date;
  secrets: SecretBox;
  /** Change notices of this process; a separate connection is opened when absent. */
  notices?: Notices;
}
