import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { makeDemoData } from '../../src/demo/makeDemoData.js';
import { Partner } from '../../src/demo/Partner.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';

const run = promisify(execFile);

describe('demonstration data', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('fills an app through the public interface, and twice with the same customers', async () => {
    const partner = new Partner(service.url, () => undefined);
    const redirect_uris = ['https://demo.example/callback'];
    await partner.register(TEST_ADMIN_KEY, { name: 'Demo', redirect_uris, allowed_scopes: ALL_SCOPES });
    const told: string[] = [];
    const options = {
      adminKey: TEST_ADMIN_KEY,
      customers: 30,
      now: new Date(),
      onProgress: (done: string) => void told.push(done),
    };
    const first = await makeDemoData(partner, options);
    expect(first).to.include({ customers: 30, rejected: 0 });
    expect(first.claims).to.be.greaterThan(300);
    expect(first.revoked).to.be.greaterThan(0);
    expect(told.at(-1)).to.match(/connection sessions/);
    await makeDemoData(partner, options);
    const { data, pagination } = await partner.rest<{ data: unknown[]; pagination: { has_more: boolean } }>(
      'GET',
      '/v1/customers?limit=100',
    );
    expect([data.length, pagination.has_more]).to.deep.equal([30, false]);
    const endpoints = await partner.rest<{ data: unknown[] }>('GET', '/v1/webhook-endpoints');
    expect(endpoints.data).to.have.length(1);
  });

  it('is filled in from the command line where /healthz has a port of its own', async () => {
    const other = await TestService.start({ OPERATIONS_PORT: '0' });
    const dataDir = mkdtempSync(join(tmpdir(), 'consent-demo-'));
    try {
      const { appId, clientSecret } = await other.makeApp();
      writeFileSync(
        join(dataDir, 'demo.json'),
        JSON.stringify({ email: 'a@b.example', appId, clientSecret }),
      );
      const { stdout } = await run(
        process.execPath,
        ['dist/src/cli/demoData.js', '--customers', '1', '--url', other.url],
        { env: { ...process.env, DATA_DIR: dataDir, ADMIN_KEYS: TEST_ADMIN_KEY } },
      );
      expect(stdout).to.include('Done: 1 customers');
    } finally {
      rmSync(dataDir, { recursive: true });
      await other.stop();
    }
  });
});
