import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import {
  claimBody,
  expectStatus,
  finished,
  grant,
  makeCustomer,
  revoke,
  sendClaims,
} from '../support/records.js';

/** Tables that belong to no app, or that are read before any app is known; each with its reason. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  apps: 'credentials are read from it',
  app_members: 'sign-in reads who is a member of what',
  oauth_artifacts: 'a token tells which app calls',
  work_queue: 'workers find work of all apps; opaque ids only',
  account_links: 'a person sees on one page which partners they are linked with',
  connection_links: 'a link in a browser tells which session, and so which app, it is for; tokens are hashed',
  graphiql_sessions: 'belong to an account',
  ontologies: 'the operator makes them for all apps or for one',
  accounts: 'an account may be a member of several apps',
  account_sessions: 'belongs to an account',
  account_tokens: 'belong to accounts; hashed, and used before anybody is signed in',
  passkeys: 'belong to accounts',
  app_logos: 'are public pictures, which a browser loads before anybody is known',
  account_erasures: 'belong to accounts; erased over all apps',
  app_erasures: 'outlive their apps; ids and counts only',
  operator_log: 'what operators did, over all apps; ids and names of fields only',
  revocation_journals: 'belong to the service',
  mails: 'belong to accounts; sealed',
  live_interest: 'tells triggers which apps somebody listens to; ids of apps and processes only',
  signing_keys: 'belong to the service',
  throttles: 'belong to addresses',
  schema_migrations: 'belong to the service',
};

describe('Row level security', () => {
  let service: TestService;
  let one: TestPartner;
  let two: TestPartner;
  let client: pg.Client;

  before(async () => {
    service = await TestService.start();
    [one, two] = [await service.makeApp(), await service.makeApp()];
    for (const app of [one, two]) await fill(app);
    client = new pg.Client({ connectionString: service.database.serviceUrl });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await service.stop();
  });

  /** Something in as many tables as the main job fills. */
  async function fill(app: TestPartner): Promise<void> {
    expectStatus(
      await app.rest('POST', '/v1/webhook-endpoints', {
        url: 'https://hooks.partner.example/in',
        enabled_events: ['*'],
      }),
      201,
    );
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization', 'support');
    await sendClaims(app, claimBody(customer), claimBody(customer, { consent_purpose: 'support' }));
    expectStatus(
      await app.rest('POST', '/v1/connection-sessions', {
        customer_id: customer,
        requested_purposes: ['support'],
      }),
      201,
    );
    await finished(app, await revoke(app, receipt, 'support'));
  }

  async function tables(): Promise<string[]> {
    const rows = await service.sql(
      `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY 1`,
    );
    return rows.map(({ relname }) => relname as string);
  }

  const appTables = async (): Promise<string[]> =>
    (await tables()).filter((table) => DIRECTORIES[table] === undefined);

  async function withAppColumn(): Promise<Set<string>> {
    const rows = await service.sql(
      `SELECT table_name FROM information_schema.columns WHERE table_schema = 'public'
        AND column_name = 'app_id'`,
    );
    return new Set(rows.map(({ table_name }) => table_name as string));
  }

  it('applies to the role of the service, which owns nothing and cannot bypass it', async () => {
    const { rows } = await client.query(
      `SELECT r.rolname, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication,
              (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owns
         FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')`,
    );
    expect(rows.length).to.be.above(0);
    for (const { rolname, ...rights } of rows) {
      expect(rights, rolname).to.deep.equal({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        owns: 0,
      });
    }
    expect(await outcome('SET row_security = off; SELECT * FROM customers')).to.equal('42501');
    expect(await outcome('CREATE TABLE mine (a int)')).to.equal('42501');
    expect(await outcome('SET ROLE pg_read_all_data')).to.equal('42501');
  });

  it('protects every table with an app_id except those named here', async () => {
    const known = await withAppColumn();
    for (const table of await appTables()) {
      const [state] = await service.sql(
        `SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $1::regclass`,
        [table],
      );
      expect(state, `${table}: behind row level security, or a directory with a reason`).to.deep.equal({
        relrowsecurity: true,
        relforcerowsecurity: true,
      });
      expect(known.has(table), `${table} has app_id`).to.equal(true);
    }
  });

  it('has app_id in every primary key, unique key and foreign key between tables of apps', async () => {
    const rows = await service.sql(
      `SELECT t.relname AS table, k.conname AS name, k.contype AS type, f.relname AS refers_to,
              (SELECT array_agg(a.attname::text ORDER BY p.n)
                FROM unnest(k.conkey) WITH ORDINALITY AS p (num, n)
                 JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.num) AS columns
         FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
         LEFT JOIN pg_class f ON f.oid = k.confrelid
        WHERE k.contype IN ('p', 'u', 'f') AND t.relnamespace = 'public'::regnamespace`,
    );
    const inQuestion = rows.filter(({ table }) => DIRECTORIES[table] === undefined);
    expect(inQuestion.length).to.be.above(30);
    for (const { table, name, type, refers_to, columns } of inQuestion) {
      if (type === 'f' && DIRECTORIES[refers_to] !== undefined && refers_to !== 'apps') continue;
      expect(columns[0], `${table}.${name} (${columns.join(', ')})`).to.equal('app_id');
    }
    const bare = await service.sql(
      `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid
        WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT EXISTS (
          SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'app_id'
            AND a.attnum = ANY (i.indkey))`,
    );
    expect(bare.filter(({ table }) => DIRECTORIES[table] === undefined)).to.deep.equal([]);
  });

  it('shows each app only its own rows, and nothing without a valid app', async () => {
    const filled: string[] = [];
    for (const table of await appTables()) {
      for (const app of [undefined, '', 'app_nobody', '*', "' OR true --"]) {
        expect(await visible(table, app), `${table} as ${app}`).to.deep.equal([]);
      }
      for (const app of [one.appId, two.appId]) {
        const seen = await visible(table, app);
        expect(
          seen.filter((id) => id !== app),
          table,
        ).to.deep.equal([]);
        if (seen.length > 0) filled.push(table);
      }
    }
    expect(filled).to.include.members([
      'customers',
      'customer_heads',
      'consent_receipts',
      'consent_ledger',
      'claims',
      'facts',
      'idempotency_keys',
      'workflows',
      'connection_sessions',
      'webhook_endpoints',
    ]);
  });

  it("lets an app write no other's rows: not insert, not move, not change, not delete", async () => {
    const as = `SELECT set_config('consent.app_id', '${one.appId}', false);`;
    const insert = `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at)
      VALUES ('${two.appId}', 'x', '', now())`;
    expect(await outcome(as + insert)).to.equal('42501');
    expect(await outcome(`${as} UPDATE idempotency_keys SET app_id = '${two.appId}'`)).to.equal('42501');
    for (const table of await appTables())
      expect(await outcome(`${as} DELETE FROM ${table} WHERE app_id = '${two.appId}'`), table).to.be.oneOf([
        0,
        '42501',
      ]);
    const own = `SELECT set_config('consent.app_id', '${two.appId}', false);`;
    expect(await outcome(`${own} DELETE FROM idempotency_keys WHERE app_id = '${two.appId}'`)).to.be.above(0);
  });

  it('leaves no app behind on a connection that goes back to the pool', async () => {
    const database = new Database({ url: service.database.serviceUrl, poolSize: 1 });
    const all = { name: 'all_customers_of_anybody', text: 'SELECT app_id FROM customers' };
    try {
      expect(await database.readAs(one.appId, all, [])).to.deep.equal([{ app_id: one.appId }]);
      expect(await database.read(all)).to.deep.equal([]);
      await database.transaction(one.appId, (tx) => tx.query('SELECT 1'));
      expect(await database.read(all)).to.deep.equal([]);
      expect(
        await database.transaction(null, (tx) => tx.query('SELECT app_id FROM customers')),
      ).to.deep.equal([]);
      await database
        .transaction(one.appId, () => Promise.reject(new Error('gave up')))
        .catch(() => undefined);
      expect(await database.read(all)).to.deep.equal([]);
      await database.readAs(one.appId, { name: 'broken', text: 'SELECT 1 / 0' }, []).catch(() => undefined);
      expect(await database.read(all)).to.deep.equal([]);
      const mixed = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          database.readAs([one, two][index % 2]?.appId ?? '', all, []),
        ),
      );
      expect(mixed.map(([row]) => row?.['app_id'])).to.deep.equal(
        mixed.map((_, index) => [one, two][index % 2]?.appId),
      );
    } finally {
      await database.close();
    }
  });

  async function visible(table: string, app: string | undefined): Promise<string[]> {
    await client.query(
      app === undefined
        ? 'RESET ALL'
        : `SELECT set_config('consent.app_id', ${pg.escapeLiteral(app)}, false)`,
    );
    try {
      const { rows } = await client.query<{ app_id: string }>(`SELECT app_id FROM ${table}`);
      return rows.map(({ app_id }) => app_id);
    } finally {
      await client.query('RESET ALL');
    }
  }

  /** How many rows the last statement hit, or the SQLSTATE of the refusal. Nothing is kept. */
  async function outcome(statements: string): Promise<string | number> {
    await client.query('BEGIN');
    try {
      const results = (await client.query(statements)) as unknown as pg.QueryResult[];
      return results.at(-1)?.rowCount ?? 0;
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.query('ROLLBACK');
      await client.query('RESET ALL');
    }
  }
});
