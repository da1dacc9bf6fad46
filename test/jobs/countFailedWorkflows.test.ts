import { expect } from 'chai';
import { deleteCustomer } from '../../src/commands/deleteCustomer.js';
import { retryWorkflow } from '../../src/commands/retryWorkflow.js';
import { newId } from '../../src/domain/ids.js';
import { countFailedWorkflows } from '../../src/jobs/countFailedWorkflows.js';
import { runWorkflow } from '../../src/jobs/runWorkflow.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

const NONE = { consent_revocation_cascade: 0, profile_recompute: 0, ontology_fields_rebuild: 0 };

describe('countFailedWorkflows', () => {
  let database: TestDatabase;
  let fixtures: IngestFixture[];

  before(async () => {
    database = await createTestDatabase();
    fixtures = [1, 2].map(() => new IngestFixture(database.serviceUrl));
    for (const fixture of fixtures) await fixture.addApp();
  });
  after(async () => {
    for (const fixture of fixtures) await fixture.close();
    await database.drop();
  });

  /** A cascade of the app that has just failed for good. */
  async function failCascade(fixture: IngestFixture): Promise<{ id: string; workflowId: string }> {
    const { id, receiptId } = await fixture.addCustomer('personalization');
    const workflowId = await fixture.revoke(receiptId);
    await database.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await database.sql(`CREATE TRIGGER refuse BEFORE UPDATE ON workflows FOR EACH ROW
      WHEN (NEW.status = 'completed') EXECUTE FUNCTION refuse()`);
    for (let tries = 0; tries < 6; tries += 1) await runWorkflow(fixture.services, fixture.appId, workflowId);
    await database.sql('DROP TRIGGER refuse ON workflows');
    await database.sql('DROP FUNCTION refuse');
    return { id, workflowId };
  }

  it('tells how many workflows of all apps failed, until they are retried or their customer erased', async () => {
    const [first, second] = fixtures;
    if (first === undefined || second === undefined) throw new Error('There are no apps.');
    const { services, appId } = first;
    const count = countFailedWorkflows(services.metrics);
    const counted = async (): Promise<Record<string, number>> => {
      await count(services);
      const told = await services.metrics.getSingleMetric('workflows_failed')?.get();
      return Object.fromEntries((told?.values ?? []).map(({ labels, value }) => [labels.type, value]));
    };
    expect(await counted()).to.deep.equal(NONE);
    const one = await failCascade(first);
    const other = await failCascade(second);
    for (const [type, subject] of [
      ['webhook_delivery', {}],
      ['ontology_fields_rebuild', { ontology_id: 'thing' }],
      ['profile_recompute', { customer_id: one.id }],
      ['profile_recompute', { customer_id: newId('cus') }],
    ] as const)
      await first.rows(
        `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
         VALUES ($1, $2, $3, 'failed', $4, now(), now()) RETURNING 1`,
        [newId('wf'), type, JSON.stringify(subject)],
      );
    const both = {
      consent_revocation_cascade: 2,
      profile_recompute: 1,
      ontology_fields_rebuild: 1,
    };
    expect(await counted()).to.deep.equal(both);
    await retryWorkflow(services.database, one.workflowId, services.clock());
    expect(await counted()).to.deep.equal({ ...both, consent_revocation_cascade: 1 });
    await runWorkflow(services, appId, one.workflowId);
    await second.command((tx, context) => deleteCustomer(tx, context, other.id));
    expect(await counted()).to.deep.equal({ ...both, consent_revocation_cascade: 0 });
  });
});
