import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** An address that nobody proved is only claimed: any number of accounts may claim it. */
export class ClaimedAddresses1763600000063 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN claimed_email text');
    await runner.query(
      `UPDATE accounts SET claimed_email = email, email = account_id || '@unproved.invalid'
        WHERE NOT email_verified AND upstream_issuer IS NULL AND email NOT LIKE '%@deleted.invalid'`,
    );
    await runner.query(
      'CREATE INDEX accounts_claimed_email_idx ON accounts (claimed_email, created_at) WHERE claimed_email IS NOT NULL',
    );
  }
}
