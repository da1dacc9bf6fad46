import { expect } from 'chai';
import { finished, grant, makeCustomer, revoke } from '../support/records.js';
import { TestService } from '../support/TestService.js';

const WAITING = 5000;

/** Workflows of claims: each ends with its first step. */
const FILL = `
  WITH workflow AS (
    INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
    SELECT $1, 'wf_' || n, 'profile_recompute', 'accepted', '{"customer_id": "cus_1"}', now(), now()
      FROM generate_series(1, ${WAITING}) AS n RETURNING workflow_id
  )
  INSERT INTO work_queue (app_id, queue, subject, ready_at)
  SELECT $1, 'workflow', workflow_id, now() - interval '1 minute' FROM workflow`;

const LEFT = `SELECT count(*)::integer AS left FROM work_queue WHERE app_id = $1 AND queue = 'workflow'`;

describe('A revocation', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('is carried out while thousands of workflows of another app wait', async () => {
    const [busy, app] = [await service.makeApp(), await service.makeApp()];
    const receipt = await grant(app, await makeCustomer(app), 'support');
    await service.sql(FILL, [busy.appId]);
    const workflow = await finished(app, await revoke(app, receipt));
    expect(workflow.status).to.equal('completed');
    const [row] = await service.sql(LEFT, [busy.appId]);
    expect(row?.left).to.be.above(WAITING / 5);
  });
});
