import { expect } from 'chai';
import { eraseApp } from '../../src/jobs/eraseApp.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';

const ROWS = 10_001;

describe('eraseApp', () => {
  let service: TestService;

  before(async () => (service = await TestService.start({ ROLE: 'gateway' })));
  after(() => service.stop());

  it('erases a large app in steps, so that other work gets its turn', async () => {
    const { appId } = await service.makeApp();
    await service.sql(
      `INSERT INTO tally_changes (app_id, measure, key, amount)
       SELECT $1, 'request', n, 1 FROM generate_series(1, ${ROWS}) AS n`,
      [appId],
    );
    const path = `/operator/apps/${appId}?confirm=${appId}`;
    const headers = { 'x-service-admin-key': TEST_ADMIN_KEY };
    const begun = await fetch(`${service.operationsUrl}${path}`, { method: 'DELETE', headers });
    const { erasure_id: erasure } = (await begun.json()) as { erasure_id: string };
    const left = async (): Promise<number> => {
      const rows = await service.sql('SELECT FROM tally_changes WHERE app_id = $1', [appId]);
      return rows.length;
    };
    expect(await eraseApp(service.services, erasure)).to.equal('more');
    expect(await left()).to.be.within(1, ROWS - 1);
    expect(await eraseApp(service.services, erasure)).to.equal('done');
    expect(await left()).to.equal(0);
  });
});
