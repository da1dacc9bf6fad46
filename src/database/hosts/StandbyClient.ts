import pg from 'pg';
import { cutConnection } from './cutConnection.js';
import { hearStandby } from './hearStandby.js';

/** A client that connects to standbys only, and disconnects when its standby is promoted. */
export class StandbyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    hearStandby(this, (isStandby) => {
      if (!isStandby) cutConnection(this);
    });
  }
}
