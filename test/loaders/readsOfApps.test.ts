import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import { WHOLE } from '../../src/loaders/loadProfiles.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { recordStatements } from '../support/recordStatements.js';

/** The last is written with all that lists and literals must escape. */
const APPS = [...Array.from({ length: 11 }, (_, index) => `app_${index}`), `app "{'\\,}" NULL`];
const UNKNOWN = 'app_unknown';
/** Every app has customers of these ids. */
const CUSTOMERS = [...Array.from({ length: 6 }, (_, index) => `cus_${index}`), `cus "{'\\,}" NULL`];

/** What an app holds differs from what each other holds: its gate, its epochs and its documents. */
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
];

interface ProfileRead {
  app: string;
  ids: string[];
  asked: number;
  forRest: boolean;
}

/** With apps twice and apart, unknown ones, lists of none and of many, and one customer's id under all apps. */
const READS: ProfileRead[] = [
  ...APPS.map((app, index) => ({ app, ids: ['cus_1'], asked: 127, forRest: index % 2 === 0 })),
  { app: UNKNOWN, ids: ['cus_1'], asked: 127, forRest: true },
  { app: '', ids: ['cus_1'], asked: 127, forRest: true },
  { app: 'app_1', ids: CUSTOMERS, asked: 127, forRest: true },
  { app: 'app_2', ids: [...CUSTOMERS, 'cus_unknown'], asked: 4, forRest: false },
  { app: 'app_2', ids: ['cus_1'], asked: 8, forRest: true },
  { app: 'app_3', ids: [], asked: 127, forRest: true },
  { app: 'app_3', ids: ['cus_unknown'], asked: 127, forRest: true },
  { app: 'app_1', ids: ['cus_1'], asked: 127, forRest: true },
];

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

describe('One statement for the profiles of several apps', () => {
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
    for (const table of ['apps', 'customer_heads', 'facts'])
      await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    for (const rows of ROWS) await owner.query(rows, [APPS, CUSTOMERS]);
    shared = new Database({ url: test.serviceUrl, poolSize: 4, sharing: { connections: 1, reads: 12 } });
    alone = new Database({ url: test.serviceUrl, poolSize: 4 });
  });
  after(async () => {
    await Promise.all([shared.close(), alone.close(), owner.end(), client.end()]);
    await test.drop();
  });

  const valuesOf = ({ app, ids, asked, forRest }: ProfileRead): unknown[] => [app, ids, asked, forRest];
  const sorted = (rows: Profile[]): Profile[] =>
    rows.toSorted((one, other) => String(one['customer_id']).localeCompare(String(other['customer_id'])));
  const readBy = async (database: Database, read: ProfileRead): Promise<Profile[]> =>
    sorted(await database.readAs(read.app, WHOLE, valuesOf(read)));
  const oneByOne = (reads: readonly ProfileRead[]): Promise<Profile[][]> =>
    Promise.all(reads.map((read) => readBy(alone, read)));

  /** The lists of the values, with lists in them as text. */
  const listsOf = (reads: readonly ProfileRead[]): unknown[] => [
    reads.map(({ app }) => app),
    reads.map(({ ids }) => `{${ids.map((id) => JSON.stringify(id)).join()}}`),
    reads.map(({ asked }) => asked),
    reads.map(({ forRest }) => forRest),
  ];

  /** The rows of each read by one statement that is planned under these settings. */
  async function together(settings: Settings, text = WHOLE.forApps, before = ''): Promise<Profile[][]> {
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
      expect(await together({}, WHOLE.forApps, before), `after ${before}`).to.deep.equal(wanted);
  }

  it('has rows of each read in its data', async () => {
    const found = await oneByOne(READS);
    for (const [index, { app, ids }] of READS.entries()) {
      const known = APPS.includes(app) ? ids.filter((id) => CUSTOMERS.includes(id)) : [];
      expect(found[index]?.map((row) => row['customer_id'])).to.have.members(known);
    }
    const documents = found.slice(0, APPS.length).map(([row]) => row?.['documents']);
    expect(new Set(documents)).to.have.length(APPS.length);
    for (const [index, app] of APPS.entries()) expect(documents[index]).to.include(`|${app}|cus_1|`);
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
    const early = WHOLE.forApps.replace(
      /^([^]*?FROM) (\(SELECT v\.[^]*? OFFSET 0\)) a,/,
      'WITH early AS MATERIALIZED $2 $1 (SELECT * FROM early ORDER BY place) a,',
    );
    expect(early).to.include('MATERIALIZED (SELECT v.');
    expect(await together({}, early)).to.not.deep.equal(wanted);
  });

  it('reads in one snapshot: a withdrawal while it runs hides all of it or nothing', async () => {
    const reads: ProfileRead[] = ['app_1', 'app_2', 'app_3'].map((app) => ({
      app,
      ids: ['cus_3'],
      asked: 127,
      forRest: true,
    }));
    const [text = ''] = [WHOLE.forApps].map((statement) =>
      statement.replace(/\$(\d)/g, (_, number: string) => {
        const list = listsOf(reads)[Number(number) - 1] as unknown[];
        return pg.escapeLiteral(`{${list.map((item) => JSON.stringify(String(item))).join()}}`);
      }),
    );
    const before = await oneByOne(reads);
    await client.query('BEGIN');
    await client.query(`DECLARE profiles CURSOR FOR ${text}`);
    const { rows: first } = await client.query<Profile>('FETCH 1 FROM profiles');
    for (const { app } of reads) await withdraw(app, 'cus_3');
    const { rows: later } = await client.query<Profile>('FETCH ALL FROM profiles');
    await client.query('COMMIT');
    const rows = [...first, ...later].map(({ place, ...row }) => [Number(place) - 1, row] as const);
    expect(rows.toSorted(([one], [other]) => one - other)).to.deep.equal(
      before.map(([row], index) => [index, row]),
    );
    const after = await Promise.all(reads.map((read) => readBy(shared, read)));
    for (const [row] of after) expect(row).to.include({ open_mask: '0', documents: null, fact_count: '0' });
  });

  async function withdraw(app: string, customer: string): Promise<void> {
    await owner.query(`UPDATE customer_heads SET granted_mask = 0 WHERE app_id = $1 AND customer_id = $2`, [
      app,
      customer,
    ]);
  }

  it('shows no read that follows a withdrawal what was withdrawn', async () => {
    for (const [place, app] of APPS.entries()) {
      const customer = CUSTOMERS[place % 2] ?? '';
      const reads = APPS.map((other) => ({ app: other, ids: [customer], asked: 127, forRest: true }));
      const [whole] = await readBy(alone, { app, ids: [customer], asked: 127, forRest: true });
      const early = reads.map((read) => readBy(shared, read));
      await withdraw(app, customer);
      const late = await Promise.all(reads.map((read) => readBy(shared, read)));
      const closed = { ...whole, open_mask: '0', documents: null, fact_count: '0' };
      expect(late[place]?.[0]).to.deep.include({ open_mask: '0', documents: null, fact_count: '0' });
      const [row] = (await Promise.all(early))[place] ?? [];
      expect([whole?.['documents'], null]).to.include(row?.['documents'] as string);
      expect(row?.['open_mask']).to.equal(
        row?.['documents'] === null ? closed.open_mask : whole?.['open_mask'],
      );
    }
  });

  it('answers each of any reads as it is answered alone', async () => {
    const read = fc.record({
      app: fc.constantFrom(...APPS, UNKNOWN),
      ids: fc.array(fc.constantFrom(...CUSTOMERS, 'cus_unknown'), { maxLength: 4 }),
      asked: fc.integer({ min: 0, max: 127 }),
      forRest: fc.boolean(),
    });
    const recording = recordStatements();
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(read, { minLength: 2, maxLength: 30 }), async (reads) => {
          const answers = await Promise.all(reads.map((one) => readBy(shared, one)));
          expect(answers).to.deep.equal(await oneByOne(reads));
        }),
        { numRuns: 60 },
      );
    } finally {
      expect(recording.stop().map(({ text }) => text)).to.include(WHOLE.forApps);
    }
  });
});
