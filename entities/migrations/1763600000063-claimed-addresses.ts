import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An address that nobody proved is only claimed: any number of accounts may claim it. */
export class ClaimedAddresses1763600000063 implements MigrationInterface {
  readonly name = 'ClaimedAddresses1763600000063';

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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE accounts a SET email = claimed_email WHERE claimed_email IS NOT NULL
          AND NOT EXISTS (SELECT FROM accounts o WHERE o.email = a.claimed_email)
          AND NOT EXISTS (SELECT FROM accounts o WHERE o.claimed_email = a.claimed_email AND o.account_id > a.account_id)`,
    );
    await runner.query('ALTER TABLE accounts DROP COLUMN claimed_email');
  }
}
