import { expect } from 'chai';
import { contextAt } from '../../src/commands/CommandContext.js';
import { deleteCustomer } from '../../src/commands/deleteCustomer.js';
import { deleteWebhookEndpoint } from '../../src/commands/deleteWebhookEndpoint.js';
import { newId } from '../../src/domain/ids.js';
import { sweepWorkflows } from '../../src/jobs/sweepWorkflows.js';
import { WebhookHarness } from '../support/WebhookHarness.js';

describe('sweepWorkflows', () => {
  let harness: WebhookHarness;

  before(async () => (harness = await WebhookHarness.open()));
  after(() => harness.close());
  beforeEach(async () => {
    await harness.clear();
    harness.now = new Date();
  });

  const services = (): Parameters<typeof sweepWorkflows>[0] => ({
    database: harness.database,
    clock: () => harness.now,
  });

  async function workflow(type: string, status: string, subject: object = {}): Promise<string> {
    const id = newId('wf');
    await harness.run(
      `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [harness.appId, id, type, status, JSON.stringify(subject), harness.now],
    );
    return id;
  }

  async function left(): Promise<unknown[]> {
    const rows = await harness.rows('SELECT workflow_id FROM workflows WHERE app_id = $1 ORDER BY 1');
    return rows.map((row) => row['workflow_id']);
  }

  it('removes workflows thirty days after their end, and none whose work is left to do', async () => {
    const [of, to] = ['consent_revocation_cascade', 'webhook_delivery'];
    const ended = [
      await workflow(of, 'completed'),
      await workflow(to, 'completed'),
      await workflow(to, 'failed'),
    ];
    const kept = [
      await workflow(of, 'failed'),
      await workflow(of, 'accepted'),
      await workflow(to, 'running'),
    ];
    const long = await workflow('profile_recompute', 'completed');
    harness.advance(86_400);
    await harness.run('UPDATE workflows SET updated_at = $3 WHERE app_id = $1 AND workflow_id = $2', [
      harness.appId,
      long,
      harness.now,
    ]);
    harness.advance(29 * 86_400);
    expect(await sweepWorkflows(services())).to.equal(false);
    expect(await left()).to.have.members([...ended, ...kept, long]);
    harness.advance(60);
    await sweepWorkflows(services());
    expect(await left()).to.have.members([...kept, long]);
  });

  it('removes those that failed of claims whose customer was erased, and no others that failed', async () => {
    const [erased, present] = [await harness.addCustomer(0), await harness.addCustomer(0)];
    const of = 'profile_recompute';
    await workflow(of, 'accepted', { customer_id: erased });
    await workflow(of, 'failed', { customer_id: erased });
    const kept = [await workflow(of, 'failed', { customer_id: present }), await workflow(of, 'failed')];
    const context = contextAt(harness.appId, () => harness.now);
    await harness.database.transaction(harness.appId, (tx) => deleteCustomer(tx, context, erased));
    harness.advance(30 * 86_400);
    await sweepWorkflows(services());
    expect(await left(), 'not before the time of completed ones').to.have.length(4);
    harness.advance(60);
    await sweepWorkflows(services());
    expect(await left()).to.have.members(kept);
  });

  it('removes those of deliveries that went with their endpoint', async () => {
    const { endpoint } = await harness.register('https://a.example/');
    await harness.announceEntry();
    await harness.work();
    await harness.database.transaction(harness.appId, (tx) =>
      deleteWebhookEndpoint(tx, { appId: harness.appId, now: harness.now }, endpoint.id),
    );
    await harness.work();
    expect(await harness.deliveries()).to.deep.equal([]);
    expect(await left()).to.have.length(1);
    harness.advance(31 * 86_400);
    await sweepWorkflows(services());
    expect(await left()).to.deep.equal([]);
  });

  it('removes as many as one transaction takes, and says that there may be more', async () => {
    await workflow('profile_recompute', 'completed');
    await harness.run(
      `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
       SELECT app_id, workflow_id || n, type, status, subject, created_at, updated_at
         FROM workflows, generate_series(1, $2::integer) n WHERE app_id = $1`,
      [harness.appId, 1000],
    );
    harness.advance(31 * 86_400);
    expect(await sweepWorkflows(services())).to.equal(true);
    expect(await left()).to.have.length(1);
    expect(await sweepWorkflows(services())).to.equal(false);
    expect(await left()).to.deep.equal([]);
  });
});
