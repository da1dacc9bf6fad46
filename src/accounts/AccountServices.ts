import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from '../database/Database.js';
import type { Notices } from '../database/Notices.js';
import type { SecretBox } from '../domain/SecretBox.js';

/** What accounts, the authorization server and the pages need of the service. */
export interface AccountServices {
  config: Config;
  database: Database;
  log: Logger;
  clock: () => Date;
  secrets: SecretBox;
  /** The connection on which the process hears of changes; one of its own when absent. */
  notices?: Notices;
}
