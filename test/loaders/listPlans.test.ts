import { expect } from 'chai';
import pg from 'pg';
import type { ReadContext } from '../../src/loaders/ReadScope.js';
import { listConnectionSessions } from '../../src/loaders/listConnectionSessions.js';
import { listCustomers } from '../../src/loaders/listCustomers.js';
import { listEvents } from '../../src/loaders/listEvents.js';
import { listWorkflows } from '../../src/loaders/listWorkflows.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { planNodes } from '../support/planNodes.js';
import type { Explained, PlanNode } from '../support/planNodes.js';

/** So many of each that reading them all is the dearest plan. */
const ROWS = 20_000;

/**
 * Values that select a handful, scattered over all rows: whoever walks the list instead of an index reads
 * thousands.
 */
const FILL = [
  `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, granted_scopes, allowed_mask,
    status, created_at, updated_at)
   SELECT 'app_' || a, 'A', 'confidential', '{}', '{}', '{}', 127, 'active', now(), now()
     FROM unnest('{a,b}'::text[]) AS a`,
  `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
   SELECT 'app_' || a, 'cus_' || lpad(n::text, 8, '0'), CASE WHEN n = 5 THEN 'rare-' ELSE 'user-' END || n,
          'active', timestamptz '2026-01-01' + n * interval '1 s', now()
     FROM generate_series(1, ${ROWS}) AS n, unnest('{a,b}'::text[]) AS a`,
  `INSERT INTO customer_heads (app_id, customer_id, granted_mask, epochs, changed_at)
   SELECT app_id, customer_id, 127, '{1,1,1,1,1,1,1}', now() FROM customers`,
  `INSERT INTO customer_consents (app_id, customer_id, purpose, status, granted_at)
   SELECT app_id, customer_id, p, CASE WHEN p = 3 AND external_id <> 'rare-5' THEN 'revoked'
     ELSE 'granted' END, now()
     FROM customers, unnest('{2,3}'::smallint[]) AS p`,
  `INSERT INTO connection_sessions (app_id, session_id, customer_id, status, requested_purposes, created_at,
    expires_at)
   SELECT 'app_' || a, 'cs_' || lpad(n::text, 8, '0'), 'cus_' || lpad((n / 4)::text, 8, '0'),
          CASE n WHEN 7 THEN 'authorized' WHEN 9 THEN 'created' WHEN 11 THEN 'revoked' WHEN 13 THEN 'expired'
            ELSE 'completed' END,
          '{support}', now(), now() + interval '1 h' FROM generate_series(1, ${ROWS}) AS n,
          unnest('{a,b}'::text[]) AS a`,
  `INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, payload, accepted_at,
    processed_at)
   SELECT 'app_' || a, CASE WHEN n % 2 = 0 THEN 'cus_00000001' ELSE 'cus_' || lpad(n::text, 8, '0') END, n,
          'evt_' || lpad(n::text, 8, '0'),
          CASE n WHEN 8 THEN 'failed' ELSE 'processed' END, CASE WHEN n = 6 THEN 3 WHEN n % 4 > 1 THEN 4
            ELSE 2 END, 1,
          CASE WHEN n % 4 > 1 AND n > 50 THEN NULL ELSE '{}'::jsonb END, now(), now()
     FROM generate_series(1, ${ROWS}) AS n, unnest('{a,b}'::text[]) AS a`,
  `INSERT INTO inbox (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload, accepted_at)
   SELECT 'app_a', 'cus_' || lpad(n::text, 8, '0'), n, 'claim', 'clm_' || lpad(n::text, 8, '0'), 2, 1, '{}',
          now() FROM generate_series(1, ${ROWS}) AS n`,
  `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
   SELECT 'app_' || a, 'wf_' || lpad(n::text, 8, '0'), CASE n WHEN 5 THEN 'ontology_fields_rebuild'
     ELSE 'profile_recompute' END,
          CASE n WHEN 9 THEN 'failed' ELSE 'completed' END, '{}', now(), now()
            FROM generate_series(1, ${ROWS}) AS n, unnest('{a,b}'::text[]) AS a`,
];

interface Asked {
  text: string;
  values: unknown[];
}

describe('The plans of the lists', () => {
  let test: TestDatabase;
  let client: pg.Client;

  before(async () => {
    test = await createTestDatabase();
    const owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
    try {
      await owner.query(`SET session_replication_role = 'replica'`);
      for (const rows of FILL) await owner.query(rows);
      await owner.query('VACUUM ANALYZE');
    } finally {
      await owner.end();
    }
    client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await test?.drop();
  });

  /** The statements of a page and of its count, as the loader would send them. */
  async function statementsOf(
    list: (context: ReadContext) => Promise<{ count: () => unknown }>,
  ): Promise<Asked[]> {
    const asked: Asked[] = [];
    const database = {
      readAs: (_app: string, { text }: { text: string }, values: unknown[]) => {
        asked.push({ text, values });
        return Promise.resolve([]);
      },
    };
    const services = { database, secrets: undefined, clock: () => new Date() };
    const connection = await list({ services, appId: 'app_a' } as unknown as ReadContext);
    await connection.count();
    return asked;
  }

  /** Rows of tables that a statement touched. */
  async function touched(asked: Asked, mode: string): Promise<number> {
    return (await planOf(asked, mode)).reduce((sum, node) => sum + readBy(node), 0);
  }

  /** How a statement was run under row level security, planned for any values or for these. */
  async function planOf({ text, values }: Asked, mode: string): Promise<PlanNode[]> {
    await client.query('BEGIN');
    try {
      await client.query(
        `SELECT set_config('consent.app_id', 'app_a', true), set_config('plan_cache_mode', $1, true)`,
        [mode],
      );
      await client.query('DEALLOCATE ALL');
      const types = values.map(() => 'unknown').join(', ');
      await client.query(`PREPARE asked${values.length === 0 ? '' : ` (${types})`} AS ${text}`);
      const literals = values.map((value) => literal(value)).join(', ');
      const { rows } = await client.query<Explained>(
        `EXPLAIN (ANALYZE, TIMING OFF,
          FORMAT JSON) EXECUTE asked${values.length === 0 ? '' : ` (${literals})`}`,
      );
      return planNodes(rows);
    } finally {
      await client.query('ROLLBACK');
    }
  }

  const LISTS: Record<string, (context: ReadContext) => Promise<{ count: () => unknown }>> = {
    'customers of a prefix': (context) => listCustomers(context, { externalIdPrefix: 'rare' }, {}),
    'customers of an external id': (context) => listCustomers(context, { externalId: 'rare-5' }, {}),
    'customers created in a time': (context) =>
      listCustomers(
        context,
        { createdAfter: '2026-01-01T00:00:05Z', createdBefore: '2026-01-01T00:00:09Z' },
        {},
      ),
    'customers of a purpose': (context) => listCustomers(context, { consentPurpose: 'support' }, {}),
    'customers of a prefix and a purpose': (context) =>
      listCustomers(context, { externalIdPrefix: 'rare', consentPurpose: 'support' }, {}),
    'sessions of a customer': (context) =>
      listConnectionSessions(context, { customerId: 'cus_00000007' }, {}),
    'sessions that are open': (context) => listConnectionSessions(context, { status: 'authorized' }, {}),
    'sessions that are expired': (context) => listConnectionSessions(context, { status: 'expired' }, {}),
    'sessions that are revoked': (context) => listConnectionSessions(context, { status: 'revoked' }, {}),
    'events that failed': (context) => listEvents(context, { status: 'failed' }, {}),
    'events that wait': (context) => listEvents(context, { status: 'accepted' }, {}),
    'events of a purpose': (context) => listEvents(context, { consentPurpose: 'support' }, {}),
    'events of a customer': (context) => listEvents(context, { customerId: 'cus_00000007' }, {}),
    'failed events of a customer': (context) =>
      listEvents(context, { customerId: 'cus_00000001', status: 'failed' }, {}),
    "a customer's events of a purpose": (context) =>
      listEvents(context, { customerId: 'cus_00000001', consentPurpose: 'support' }, {}),
    'customers of a prefix by external id': (context) =>
      listCustomers(context, { externalIdPrefix: 'rare' }, { order: 'external_id' }),
    'oldest events of a purpose': (context) =>
      listEvents(context, { consentPurpose: 'support' }, { order: 'oldest_first' }),
    'workflows of a type': (context) => listWorkflows(context, { type: 'ontology_fields_rebuild' }, {}),
    'workflows that failed': (context) => listWorkflows(context, { status: 'failed' }, {}),
    'workflows of a type that failed': (context) =>
      listWorkflows(context, { type: 'profile_recompute', status: 'failed' }, {}),
  };

  for (const [what, list] of Object.entries(LISTS))
    it(`read ${what} by an index and few other rows`, async () => {
      for (const asked of await statementsOf(list))
        for (const mode of ['force_generic_plan', 'force_custom_plan'])
          expect(await touched(asked, mode), `${mode} ${asked.text}`).to.be.below(200);
    });

  const PAGES: Record<string, (context: ReadContext) => Promise<unknown>> = {
    customers: (context) => listCustomers(context, {}, {}),
    sessions: (context) => listConnectionSessions(context, {}, {}),
    events: (context) => listEvents(context, {}, {}),
    'processed events': (context) => listEvents(context, { status: 'processed' }, {}),
    "a customer's many events": (context) => listEvents(context, { customerId: 'cus_00000001' }, {}),
    workflows: (context) => listWorkflows(context, {}, {}),
    'completed workflows': (context) => listWorkflows(context, { status: 'completed' }, {}),
    'customers by external id': (context) => listCustomers(context, {}, { order: 'external_id' }),
    'customers of a common prefix by external id': (context) =>
      listCustomers(context, { externalIdPrefix: 'user' }, { order: 'external_id' }),
    'oldest customers': (context) => listCustomers(context, {}, { order: 'oldest_first' }),
    'oldest customers created since': (context) =>
      listCustomers(context, { createdAfter: '2026-01-01T00:00:00Z' }, { order: 'oldest_first' }),
    'oldest sessions': (context) => listConnectionSessions(context, {}, { order: 'oldest_first' }),
    'oldest events': (context) => listEvents(context, {}, { order: 'oldest_first' }),
    'oldest processed events': (context) =>
      listEvents(context, { status: 'processed' }, { order: 'oldest_first' }),
    "a customer's oldest events": (context) =>
      listEvents(context, { customerId: 'cus_00000001' }, { order: 'oldest_first' }),
    'oldest workflows': (context) => listWorkflows(context, {}, { order: 'oldest_first' }),
    'customers created since': (context) =>
      listCustomers(context, { createdAfter: '2026-01-01T00:00:00Z' }, {}),
    'customers of a common purpose': (context) => listCustomers(context, { consentPurpose: 'analytics' }, {}),
  };

  async function pageOf(list: (context: ReadContext) => Promise<unknown>): Promise<Asked> {
    const [page] = await statementsOf(async (context) => {
      await list(context);
      return { count: () => undefined };
    });
    if (page === undefined) throw new Error('The list sent no statement.');
    return page;
  }

  const none = { customerId: undefined, status: undefined, consentPurpose: undefined };
  const WHOLE: [table: string, list: (context: ReadContext) => Promise<unknown>][] = [
    ['events', (context) => listEvents(context, {}, {})],
    ['events', (context) => listEvents(context, none, {})],
    ['workflows', (context) => listWorkflows(context, {}, {})],
  ];

  it('scan a table once without a filter', async () => {
    for (const [table, list] of WHOLE) {
      const page = await pageOf(list);
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const scans = (await planOf(page, mode)).filter((node) => node['Relation Name'] === table);
        expect(scans, `${mode} ${page.text}`).to.have.length(1);
      }
    }
  });

  for (const [what, list] of Object.entries(PAGES))
    it(`read no more of ${what} than a page`, async () => {
      const page = await pageOf(list);
      for (const mode of ['force_generic_plan', 'force_custom_plan'])
        expect(await touched(page, mode), `${mode} ${page.text}`).to.be.below(500);
    });
});

function readBy(node: PlanNode): number {
  const isScan = node['Relation Name'] !== undefined || node['Node Type'] === 'Bitmap Index Scan';
  return isScan ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) : 0;
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
