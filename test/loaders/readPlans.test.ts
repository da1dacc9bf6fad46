import { expect } from 'chai';
import pg from 'pg';
import { CLAIM_PAGE } from '../../src/loaders/readClaimPage.js';
import { PROFILES } from '../../src/loaders/loadProfiles.js';
import { execute } from '../support/execute.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { planNodes } from '../support/planNodes.js';
import type { Explained, PlanNode } from '../support/planNodes.js';

/** As many as tempt the planner to read all heads for a list of unknown length. */
const CUSTOMERS = 1000;

/** What they hold is of no matter. */
const ROWS = [
  `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, granted_scopes, allowed_mask,
    status, created_at, updated_at)
   VALUES ('app_a', 'A', 'confidential', '{}', '{}', '{}', 127, 'active', now(), now())`,
  `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
   SELECT 'app_a', 'cus_' || n, n, 'active', now(), now() FROM generate_series(1, ${CUSTOMERS}) AS n`,
  `INSERT INTO customer_heads (app_id, customer_id, granted_mask, epochs, changed_at)
   SELECT 'app_a', 'cus_' || n, 127, '{1,1,1,1,1,1,1}', now() FROM generate_series(1, ${CUSTOMERS}) AS n`,
  `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, resolved_at)
   SELECT 'app_a', 'cus_' || n, 0, 'attribute_' || m, 1, repeat('x', 500), repeat('x', 500), now()
     FROM generate_series(1, ${CUSTOMERS}) AS n, generate_series(1, 8) AS m`,
];

describe('The plans of frequent reads', () => {
  let test: TestDatabase;
  let owner: pg.Client;

  before(async () => {
    test = await createTestDatabase();
    owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
    await owner.query(`SET session_replication_role = 'replica'`);
    for (const rows of ROWS) await owner.query(rows);
    await owner.query('VACUUM ANALYZE');
  });
  after(async () => {
    await owner?.end();
    await test?.drop();
  });

  /** As it is planned once for all lists of ids. */
  const planOf = async (statement: string): Promise<PlanNode[]> =>
    planNodes(await execute<Explained>(test.serviceUrl, `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`));

  it('read the facts of a profile in the order of an index without a sort', async () => {
    for (const text of [PROFILES.text, PROFILES.forApps]) {
      const plan = await planOf(text);
      expect(plan.map((node) => node['Node Type'])).to.not.include('Sort');
      expect(
        plan.filter((node) => node['Relation Name'] === 'facts').map((node) => node['Node Type']),
      ).to.deep.equal(['Index Scan']);
    }
  });

  for (const [what, { text }] of [
    ['a profile', PROFILES],
    ['a profile of each of several apps', { text: PROFILES.forApps }],
    ['a page of claims', CLAIM_PAGE],
    ['a page of claims of each of several apps', { text: CLAIM_PAGE.forApps }],
  ] as const)
    it(`read only the heads that ${what} needs`, async () => {
      const heads = (await planOf(text)).filter((node) => node['Relation Name'] === 'customer_heads');
      expect(heads).to.have.length(1);
      expect(heads[0]?.['Node Type']).to.be.oneOf(['Index Scan', 'Bitmap Heap Scan']);
    });
});
