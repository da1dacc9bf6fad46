import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  claimBody,
  expectStatus,
  finished,
  grant,
  makeCustomer,
  revoke,
  sendClaims,
} from '../../support/records.js';
import { recordStatements } from '../../support/recordStatements.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { TestReceiver } from '../../support/TestReceiver.js';
import { TestService } from '../../support/TestService.js';
import { examineStatement } from './examineStatement.js';
import type { Tables } from './examineStatement.js';

/**
 * Not about our tables: transactions, the setting of row level security, the heartbeat and LISTEN of the one
 * connection that hears.
 */
const HOUSEKEEPING =
  /^(BEGIN|COMMIT|ROLLBACK|SELECT set_config\(|SELECT 1$|SET LOCAL|LISTEN [a-z_]+$|SELECT pg_notify\(|NOTIFY )/i;

describe('Every statement', () => {
  let service: TestService;
  let tables: Tables;
  let statements: string[];

  before(async () => {
    service = await TestService.start();
    tables = await readTables(service);
    const recorder = recordStatements();
    await exercise(service);
    const sent = recorder.stop().map(({ text }) => text);
    statements = sent.filter((text) => !HOUSEKEEPING.test(text));
  });
  after(() => service.stop());

  it('names its app by parameter and keeps no session state', async () => {
    const found: string[] = [];
    for (const text of statements) {
      const problems = await examineStatement(text, tables);
      if (problems.length > 0) found.push(`${problems.join('; ')}: ${text}`);
    }
    expect(found).to.deep.equal([]);
    expect(statements.length).to.be.greaterThan(40);
    expect(statements.some((text) => text.includes('INTO webhook_attempts'))).to.equal(true);
  });

  it('is refused by the examination when it does not fit a distributed database', async () => {
    const wrong = [
      'SELECT * FROM claims WHERE customer_id = $1',
      'SELECT * FROM claims c JOIN facts f ON f.customer_id = c.customer_id WHERE c.app_id = $1',
      `DELETE FROM facts WHERE app_id = 'app_1'`,
      'INSERT INTO outbox (message_id) VALUES ($1)',
      'SELECT pg_advisory_lock(1)',
      'INSERT INTO tally_changes (app_id, measure) SELECT $1, m FROM unnest($2::text[]) AS m',
      'WITH given AS (SELECT unnest($2::text[]) AS t) INSERT INTO tally_changes (app_id, measure) SELECT $1, t FROM given RETURNING 1',
      'SELECT * FROM unheard_of WHERE app_id = $1',
      'UPDATE facts SET value = ($2::text[])[1] WHERE app_id = $1',
      'SELECT * FROM (SELECT f.* FROM facts f JOIN claims c USING (app_id) WHERE f.app_id = $1) f',
      'WITH all_of AS (SELECT * FROM facts WHERE app_id = $1) SELECT a.* FROM all_of a',
      'DELETE FROM facts WHERE app_id = $1 RETURNING *',
      `UPDATE facts SET updated_at = greatest($2, updated_at + interval '1 ms') WHERE app_id = $1`,
    ];
    const right = 'SELECT i.* FROM facts f, LATERAL (SELECT f.customer_id) i WHERE f.app_id = $1';
    expect(await examineStatement(right, tables)).to.deep.equal([]);
    for (const text of wrong) expect(await examineStatement(text, tables), text).to.not.deep.equal([]);
  });

  it('has the app in every key of an app’s table', async () => {
    const rows = await service.sql(
      `SELECT c.conrelid::regclass::text AS table, c.conname AS name FROM pg_constraint c
        JOIN pg_class t ON t.oid = c.conrelid
        WHERE t.relrowsecurity AND c.contype IN ('p', 'u', 'f')
          AND c.conrelid::regclass::text <> ALL ($1) AND c.confrelid::regclass::text <> ALL ($1)
          AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attname = 'app_id'
            AND a.attnum = ANY (c.conkey))
       UNION ALL
       SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid
        WHERE t.relrowsecurity AND i.indisunique AND i.indrelid::regclass::text <> ALL ($1)
          AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'app_id'
            AND a.attnum = ANY (i.indkey))`,
      [[...tables.references]],
    );
    expect(rows).to.deep.equal([]);
  });

  it('documents the tables that belong to no app', () => {
    expect(documented('directory')).to.have.members([...tables.directories]);
  });
});

async function readTables(service: TestService): Promise<Tables> {
  const rows = (await service.sql(
    `SELECT relname AS name, relrowsecurity AS protected FROM pg_class WHERE relkind = 'r'
      AND relnamespace = 'public'::regnamespace`,
  )) as { name: string; protected: boolean }[];
  const references = new Set(documented('reference'));
  const named = (isProtected: boolean): Set<string> =>
    new Set(
      rows
        .filter((row) => row.protected === isProtected && !references.has(row.name))
        .map(({ name }) => name),
    );
  return { ofApps: named(true), directories: named(false), references };
}

/** Tables that docs/scale.md lists as of a kind. */
function documented(kind: string): string[] {
  const rows = readFileSync('docs/scale.md', 'utf8').matchAll(/^\| `(\w+)` +\| (\w+) /gm);
  return [...rows].flatMap(([, name = '', found]) => (found === kind ? [name] : []));
}

/** Walks through most of what the service does, by both doors. */
async function exercise(service: TestService): Promise<void> {
  const app = await service.makeApp();
  await receiveWebhook(app);
  const customer = await makeCustomer(app, { external_id: 'walked' });
  await app.rest('PATCH', `/v1/customers/${customer}`, { profile: { username: 'ada' } });
  const receipt = await grant(app, customer, 'personalization', 'analytics');
  await sendClaims(app, claimBody(customer), claimBody(customer, { source: 'survey' }));
  const batch = { claims: [claimBody(customer, { attribute: 'a.b' })] };
  await app.rest('POST', '/v1/claims/batch', batch);
  const session = { customer_id: customer, requested_purposes: ['support'] };
  const { body: created } = await app.rest('POST', '/v1/connection-sessions', session);
  await app.rest('GET', `/v1/connection-sessions/${String(created.session.id)}`);
  await app.rest('DELETE', `/v1/connection-sessions/${String(created.session.id)}`);
  const reads = ['', `/${customer}`, `/${customer}/effective-consent`].map((path) => `/v1/customers${path}`);
  const lists = [
    '/v1/connection-sessions',
    '/v1/consent-receipts',
    '/v1/ontologies',
    '/v1/entries',
    '/v1/webhook-endpoints',
    '/v1/webhook-endpoints/event-types',
  ];
  const profiles = ['', '/claims', '/intents'].map((path) => `/v1/profiles/${customer}${path}`);
  for (const path of [
    ...reads,
    ...lists,
    ...profiles,
    `/v1/consent-receipts/${receipt}`,
    `/v1/apps/${app.appId}`,
  ])
    await app.rest('GET', path);
  await app.rest('GET', '/v1/customers?external_id=walked');
  await app.rest('GET', `/v1/consent-receipts?customer_id=${customer}`);
  await app.graphql(
    `{ customers { nodes { consentReceipts { nodes { id } } resolvedProfile { facts { attribute } } } } }`,
  );
  await finished(app, await revoke(app, receipt, 'analytics'));
  await app.rest('DELETE', `/v1/customers/${customer}`);
}

async function receiveWebhook(app: TestPartner): Promise<void> {
  const receiver = await TestReceiver.start();
  try {
    const endpoint = { url: receiver.url(), enabled_events: ['*'] };
    const registered = expectStatus(await app.rest('POST', '/v1/webhook-endpoints', endpoint), 201);
    const path = `/v1/webhook-endpoints/${String(registered.endpoint.id)}/test`;
    await finished(app, String(expectStatus(await app.rest('POST', path), 202).workflow_id));
    expectStatus(await app.rest('POST', path.replace(/test$/, 'rotate-secret')), 200);
  } finally {
    await receiver.stop();
  }
}
