import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import type { Query } from '../../src/database/Database.js';
import { BY_ID } from '../../src/loaders/loadCustomers.js';
import { PROFILES } from '../../src/loaders/loadProfiles.js';
import { CLAIM_PAGE } from '../../src/loaders/readClaimPage.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { recordStatements } from '../support/recordStatements.js';

/** The last is written with all that lists and literals must escape. */
const APPS = [...Array.from({ length: 11 }, (_, index) => `app_${index}`), `app "{'\\,}" NULL`];
const UNKNOWN = 'app_unknown';
/** Every app has customers of these ids. */
const CUSTOMERS = [...Array.from({ length: 6 }, (_, index) => `cus_${index}`), `cus "{'\\,}" NULL`];

/** What an app holds differs from what each other holds: its gate, its epochs, its documents and names. */
const ROWS = [
  `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, granted_scopes, allowed_mask,
     status, created_at, updated_at)
   SELECT id, 'A', 'confidential', '{}', '{}', '{}', 127 - (1 << (n % 7)::integer), 'active', now(), now()
     FROM unnest($1::text[]) WITH ORDINALITY AS app (id, n), unnest($2::text[]) AS customer (none) GROUP BY 1, 7`,
  `INSERT INTO customer_heads (app_id, customer_id, granted_mask, epochs, changed_at)
   SELECT app.id, customer.id, 127 - (1 << ((app.n + customer.n) % 5)::integer), array_fill(app.n::integer % 3 + 1, '{7}'),
          '2026-01-01'::timestamptz + app.n * interval '1 day'
     FROM unnest($1::text[]) WITH ORDINALITY AS app (id, n), unnest($2::text[]) WITH ORDINALITY AS customer (id, n)`,
  `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, resolved_at)
   SELECT app.id, customer.id, purpose, 'attribute_' || attribute, app.n % 3 + attribute % 2,
          concat_ws('|', 'graphql', app.id, customer.id, purpose, attribute),
          concat_ws('|', 'rest', app.id, customer.id, purpose, attribute), '2026-02-01'
     FROM unnest($1::text[]) WITH ORDINALITY AS app (id, n), unnest($2::text[]) WITH ORDINALITY AS customer (id, n),
          generate_series(0, 6) AS purpose, generate_series(1, 4) AS attribute`,
  `INSERT INTO claims (app_id, customer_id, sequence, claim_id, purpose, epoch, attribute, value, source, observed_at,
     confidence, provenance, document)
   SELECT app.id, customer.id, purpose + 7 * m, 'clm', purpose, app.n % 3 + m % 2, 'attribute', '1', 'source', '2026-02-01',
          1, '{}', concat_ws('|', 'claim', app.id, customer.id, purpose, m)
     FROM unnest($1::text[]) WITH ORDINALITY AS app (id, n), unnest($2::text[]) WITH ORDINALITY AS customer (id, place),
          generate_series(0, 6) AS purpose, generate_series(1, 2 + customer.place::integer % 2) AS m`,
  `INSERT INTO customers (app_id, customer_id, external_id, status, metadata, created_at, updated_at)
   SELECT app, customer, concat_ws('|', 'external', app, customer), 'active', jsonb_build_object('app', app), now(), now()
     FROM unnest($1::text[]) AS app, unnest($2::text[]) AS customer`,
];

/** The values of a read: its app, its customers, and the rest. */
type Read = readonly [app: string, customers: string | readonly string[], ...rest: unknown[]];

/** A read that one statement reads for several apps. */
interface Kind {
  query: Query & { forApps: string };
  /** With apps twice and apart, unknown ones, and one customer's id under all apps. */
  reads: readonly Read[];
  anyRead: fc.Arbitrary<Read>;
  /** The read of one customer, and what it returns when all purposes are withdrawn; absent: no gate. */
  gated?: { of: (app: string, customer: string) => Read; closed: Profile };
}

const anyApp = fc.constantFrom(...APPS, UNKNOWN);
const anyCustomer = fc.constantFrom(...CUSTOMERS, 'cus_unknown');
const anyCustomers = fc.array(anyCustomer, { maxLength: 4 });
const anyMask = fc.integer({ min: 0, max: 127 });

/** The same reads of profiles and customers: with lists of none and of many. */
const LISTS: readonly [app: string, ids: readonly string[]][] = [
  ...[...APPS, UNKNOWN, ''].map((app): [string, string[]] => [app, ['cus_1']]),
  ['app_1', CUSTOMERS],
  ['app_2', [...CUSTOMERS, 'cus_unknown']],
  ['app_2', ['cus_1']],
  ['app_3', []],
  ['app_3', ['cus_unknown']],
  ['app_1', ['cus_1']],
];

/** The masks of those that ask for less than all. */
const MASKS: Readonly<Record<number, number>> = { [APPS.length + 3]: 4, [APPS.length + 4]: 8 };

const KINDS: Record<string, Kind> = {
  profiles: {
    query: PROFILES,
    reads: LISTS.map(([app, ids], index) => [app, ids, MASKS[index] ?? 127, index % 2 === 0]),
    anyRead: fc.tuple(anyApp, anyCustomers, anyMask, fc.boolean()),
    gated: {
      of: (app, customer) => [app, [customer], 127, true],
      closed: { open_mask: '0', documents: null, fact_count: '0' },
    },
  },
  'pages of claims': {
    query: CLAIM_PAGE,
    reads: [
      ...[...APPS, UNKNOWN, ''].map((app): Read => [app, 'cus_1', 127, null, 100]),
      ...CUSTOMERS.map((customer): Read => ['app_1', customer, 127, null, 3]),
      ['app_2', 'cus_1', 4, null, 100],
      ['app_2', 'cus_1', 127, 10, 2],
      ['app_3', 'cus_unknown', 127, null, 100],
      ['app_3', 'cus_2', 127, 1, 100],
      ['app_1', 'cus_1', 127, 12, 100],
    ],
    anyRead: fc.tuple(
      anyApp,
      anyCustomer,
      anyMask,
      fc.option(fc.integer({ min: 0, max: 25 })),
      fc.integer({ min: 1, max: 25 }),
    ),
    gated: {
      of: (app, customer) => [app, customer, 127, null, 100],
      closed: { open_mask: '0', documents: null, sequences: null },
    },
  },
  customers: {
    query: BY_ID,
    reads: LISTS,
    anyRead: fc.tuple(anyApp, anyCustomers),
  },
};

/** Switches of the planner that are turned two at a time too. */
const PAIRED = [
  'nestloop',
  'hashjoin',
  'mergejoin',
  'material',
  'memoize',
  'seqscan',
  'indexscan',
  'indexonlyscan',
  'bitmapscan',
  'sort',
  'hashagg',
];

const OTHER_SETTINGS: readonly Readonly<Record<string, string>>[] = [
  { plan_cache_mode: 'force_custom_plan' },
  { jit: 'on', jit_above_cost: '0', jit_inline_above_cost: '0', jit_optimize_above_cost: '0' },
  {
    parallel_setup_cost: '0',
    parallel_tuple_cost: '0',
    min_parallel_table_scan_size: '0',
    min_parallel_index_scan_size: '0',
    max_parallel_workers_per_gather: '4',
  },
  { geqo_threshold: '2' },
  { join_collapse_limit: '1', from_collapse_limit: '1' },
  { work_mem: '64kB' },
  { random_page_cost: '0', cpu_index_tuple_cost: '0' },
  { seq_page_cost: '10000' },
  { cpu_operator_cost: '1000' },
  { cpu_tuple_cost: '1000' },
];

type Settings = Readonly<Record<string, string>>;
type Profile = Record<string, unknown>;

for (const [name, { query, reads: READS, anyRead, gated }] of Object.entries(KINDS))
  describe(`One statement for the ${name} of several apps`, () => {
    let test: TestDatabase;
    let owner: pg.Client;
    let client: pg.Client;
    let shared: Database;
    let alone: Database;

    before(async () => {
      test = await createTestDatabase();
      owner = new pg.Client({ connectionString: test.ownerUrl });
      client = new pg.Client({ connectionString: test.serviceUrl });
      await Promise.all([owner.connect(), client.connect()]);
      await owner.query(`SET session_replication_role = 'replica'`);
      for (const table of ['apps', 'customer_heads', 'facts', 'claims', 'customers'])
        await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
      for (const rows of ROWS) await owner.query(rows, [APPS, CUSTOMERS]);
      shared = new Database({ url: test.serviceUrl, poolSize: 4, sharing: { connections: 1, reads: 12 } });
      alone = new Database({ url: test.serviceUrl, poolSize: 4 });
    });
    after(async () => {
      await Promise.all([shared.close(), alone.close(), owner.end(), client.end()]);
      await test.drop();
    });

    const sorted = (rows: Profile[]): Profile[] =>
      // This file's own connection reads times otherwise than the service's.
      rows
        .map((row) => JSON.parse(JSON.stringify(row)) as Profile)
        .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
    const readBy = async (database: Database, read: Read): Promise<Profile[]> =>
      sorted(await database.readAs(read[0], query, [...read]));
    const oneByOne = (reads: readonly Read[]): Promise<Profile[][]> =>
      Promise.all(reads.map((read) => readBy(alone, read)));

    /** The lists of the values, with lists in them as text. */
    const listsOf = (reads: readonly Read[]): unknown[][] =>
      (reads[0] ?? []).map((_, column) =>
        reads.map((read) => {
          const value = read[column];
          return Array.isArray(value) ? `{${value.map((id) => JSON.stringify(id)).join()}}` : value;
        }),
      );

    /** The rows of each read by one statement that is planned under these settings. */
    async function together(settings: Settings, text = query.forApps, before = ''): Promise<Profile[][]> {
      await client.query('BEGIN');
      try {
        await client.query(`SELECT set_config('consent.app_id', $1, true)`, [before]);
        const all = { plan_cache_mode: 'force_generic_plan', jit: 'off', ...settings };
        await client.query(
          'SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS s (name, value)',
          [Object.keys(all), Object.values(all)],
        );
        const { rows } = await client.query<Profile>(text, listsOf(READS));
        return READS.map((_, index) =>
          sorted(
            rows.filter(({ place }) => place === String(index + 1)).map(({ place: _place, ...row }) => row),
          ),
        );
      } finally {
        await client.query('ROLLBACK');
      }
    }

    /** The planner's switches, each turned to what it is not; the paired first. */
    async function switches(): Promise<Settings[]> {
      const { rows } = await client.query<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings WHERE name LIKE 'enable\\_%' AND vartype = 'bool'
        ORDER BY name <> ALL ($1)`,
        [PAIRED.map((name) => `enable_${name}`)],
      );
      return rows.map(({ name, setting }) => ({ [name]: setting === 'on' ? 'off' : 'on' }));
    }

    async function expectAllPlansRight(): Promise<void> {
      const wanted = await oneByOne(READS);
      const turned = await switches();
      const paired = turned.slice(0, PAIRED.length);
      const pairs = paired.flatMap((one, index) =>
        paired.slice(index + 1).map((other) => ({ ...one, ...other })),
      );
      for (const settings of [{}, ...turned, ...OTHER_SETTINGS, ...pairs])
        expect(await together(settings), JSON.stringify(settings)).to.deep.equal(wanted);
      for (const before of APPS)
        expect(await together({}, query.forApps, before), `after ${before}`).to.deep.equal(wanted);
    }

    it('has rows of each read in its data', async () => {
      const found = await oneByOne(READS);
      for (const [index, [app, customers]] of READS.entries()) {
        const known = APPS.includes(app) ? [customers].flat().filter((id) => CUSTOMERS.includes(id)) : [];
        expect(found[index]).to.have.length(known.length);
      }
      const own = found.slice(0, APPS.length).map(([row]) => JSON.stringify(Object.values(row ?? {})));
      expect(new Set(own)).to.have.length(APPS.length);
      for (const [index, app] of APPS.entries())
        expect(own[index]).to.include(`|${JSON.stringify(app).slice(1, -1)}|cus_1`);
    });

    it('returns what each read alone returns under any plan, without statistics', expectAllPlansRight);

    it('returns what each read alone returns under any plan of small tables', async () => {
      await owner.query('VACUUM ANALYZE');
      await expectAllPlansRight();
    });

    it('returns what each read alone returns under any plan of large tables', async () => {
      const more = Array.from({ length: 60 }, (_, index) => `app_more_${index}`);
      const customers = Array.from({ length: 100 }, (_, index) => `cus_${index}`);
      for (const rows of ROWS) await owner.query(rows, [more, customers]);
      await owner.query('VACUUM ANALYZE');
      await expectAllPlansRight();
    });

    it('would miss rows if apps were set before rows are read, which these tests see', async () => {
      const wanted = await oneByOne(READS);
      const early = query.forApps.replace(
        /^([^]*?FROM) (\(SELECT v\.[^]*? OFFSET 0\)) a,/,
        'WITH early AS MATERIALIZED $2 $1 (SELECT * FROM early ORDER BY place) a,',
      );
      expect(early).to.include('MATERIALIZED (SELECT v.');
      expect(await together({}, early)).to.not.deep.equal(wanted);
    });

    if (gated !== undefined) {
      it('reads in one snapshot: a withdrawal while it runs hides all of it or nothing', async () => {
        const reads = ['app_1', 'app_2', 'app_3'].map((app) => gated.of(app, 'cus_3'));
        const lists = listsOf(reads).map((list) =>
          pg.escapeLiteral(
            `{${list.map((item) => (item === null ? 'NULL' : JSON.stringify(String(item)))).join()}}`,
          ),
        );
        const text = query.forApps.replace(/\$(\d)/g, (_, number: string) => lists[Number(number) - 1] ?? '');
        const before = await oneByOne(reads);
        await client.query('BEGIN');
        await client.query(`DECLARE reads CURSOR FOR ${text}`);
        const { rows: first } = await client.query<Profile>('FETCH 1 FROM reads');
        for (const [app] of reads) await withdraw(app, 'cus_3');
        const { rows: later } = await client.query<Profile>('FETCH ALL FROM reads');
        await client.query('COMMIT');
        const rows = [...first, ...later].map(({ place, ...row }) => [Number(place) - 1, row] as const);
        expect(rows.toSorted(([one], [other]) => one - other)).to.deep.equal(
          before.map(([row], index) => [index, row]),
        );
        const after = await Promise.all(reads.map((read) => readBy(shared, read)));
        for (const [row] of after) expect(row).to.include(gated.closed);
      });

      it('shows no read that follows a withdrawal what was withdrawn', async () => {
        for (const [place, app] of APPS.entries()) {
          const customer = CUSTOMERS[place % 2] ?? '';
          const reads = APPS.map((other) => gated.of(other, customer));
          const [whole] = await readBy(alone, gated.of(app, customer));
          const early = reads.map((read) => readBy(shared, read));
          await withdraw(app, customer);
          const late = await Promise.all(reads.map((read) => readBy(shared, read)));
          expect(late[place]?.[0]).to.deep.include(gated.closed);
          const [row] = (await Promise.all(early))[place] ?? [];
          expect([whole?.['documents'], null]).to.include(row?.['documents'] as string);
          expect(row?.['open_mask']).to.equal(row?.['documents'] === null ? '0' : whole?.['open_mask']);
        }
      });
    }

    async function withdraw(app: string, customer: string): Promise<void> {
      await owner.query(`UPDATE customer_heads SET granted_mask = 0 WHERE app_id = $1 AND customer_id = $2`, [
        app,
        customer,
      ]);
    }

    it('answers each of any reads as it is answered alone', async () => {
      const recording = recordStatements();
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(anyRead, { minLength: 2, maxLength: 30 }), async (reads) => {
            const answers = await Promise.all(reads.map((one) => readBy(shared, one)));
            expect(answers).to.deep.equal(await oneByOne(reads));
          }),
          { numRuns: 60 },
        );
      } finally {
        expect(recording.stop().map(({ text }) => text)).to.include(query.forApps);
      }
    });
  });
