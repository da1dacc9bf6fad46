import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from '../database/Database.js';
import type { Notices } from '../database/Notices.js';
import type { SecretBox } from '../domain/SecretBox.js';

/** Dependencies of accounts and the pages. */
export interface AccountServices {
  config: Config;
  database: Database;
  log: Logger;
  clock: () => Date;
  secrets: SecretBox;
}

/** Dependencies of the authorization server. */
export interface AuthorizationServices extends AccountServices {
  /** Of this process. They are started after the server was made, which registers what it listens to. */
  notices: Notices;
}
