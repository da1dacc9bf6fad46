import { expect } from 'chai';
import type { ListOrder } from '../../src/domain/listOrder.js';
import { listWorkflows } from '../../src/loaders/listWorkflows.js';
import type { WorkflowFilter } from '../../src/loaders/listWorkflows.js';
import { loadWorkflow } from '../../src/loaders/loadWorkflow.js';
import { scopeOf } from '../../src/loaders/page.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const AT = '2026-03-01T00:00:00.000Z';

/** Every type and every status. */
const WORKFLOWS: Readonly<Record<string, [type: string, status: string]>> = {
  wf_1: ['consent_revocation_cascade', 'accepted'],
  wf_2: ['profile_recompute', 'running'],
  wf_3: ['ontology_fields_rebuild', 'completed'],
  wf_4: ['webhook_delivery', 'failed'],
  wf_5: ['profile_recompute', 'accepted'],
  wf_6: ['profile_recompute', 'accepted'],
};

describe('The list of workflows', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    const shared = { subject: {}, error: { code: 'x', message: 'X.' }, created_at: AT, updated_at: AT };
    const rows = Object.entries(WORKFLOWS).map(([workflow_id, [type, status]]) => ({
      ...shared,
      workflow_id,
      type,
      status,
    }));
    await fixture.insert('workflows', rows);
    await fixture.insert('workflows', [{ ...rows[0], app_id: OTHER_APP, workflow_id: 'wf_1x' }]);
  });
  after(() => fixture?.stop());

  const list = (filter: WorkflowFilter, order?: ListOrder) => ({
    list: (request: object) => listWorkflows(fixture.context(), filter, { ...request, order }),
    idOf: ({ id }: { id: string }) => id,
    statement: 'workflows_',
    scope: scopeOf(APP, 'workflows', filter, order),
  });
  const bothWays = async (filter: WorkflowFilter): Promise<void> => {
    const ids = Object.entries(WORKFLOWS)
      .filter(([, [type, status]]) => type === (filter.type ?? type) && status === (filter.status ?? status))
      .map(([id]) => id);
    await expectList(fixture, { ...list(filter), ids: ids.toReversed() });
    await expectList(fixture, { ...list(filter, 'oldest_first'), ids });
  };

  it('is ordered by id', () => bothWays({}));

  it('is filtered by type', async () => {
    for (const [type] of Object.values(WORKFLOWS)) await bothWays({ type });
  });

  it('is filtered by status', async () => {
    for (const [, status] of Object.values(WORKFLOWS)) await bothWays({ status });
  });

  it('is filtered by type and status together', async () => {
    await bothWays({ type: 'profile_recompute', status: 'accepted' });
    await bothWays({ type: 'profile_recompute', status: 'failed' });
  });

  it('contains workflows that can be read by id', async () => {
    expect(await loadWorkflow(fixture.context(), 'wf_2')).to.deep.equal({
      id: 'wf_2',
      type: 'profile_recompute',
      status: 'running',
      createdAt: AT,
      updatedAt: AT,
      error: { code: 'x', message: 'X.' },
    });
    for (const id of ['wf_1x', 'none']) expect(await loadWorkflow(fixture.context(), id)).to.equal(undefined);
  });
});
