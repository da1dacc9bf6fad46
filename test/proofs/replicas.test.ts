import { expect } from 'chai';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../src/app.js';
import type { RunningService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import { freePort } from '../../src/database/embedded/freePort.js';
import { Standby } from '../support/Standby.js';
import { TEST_ADMIN_KEY, testEnvironment } from '../support/TestService.js';
import { freshKey, TestPartner } from '../support/TestPartner.js';
import { ReplicaTrial } from './ReplicaTrial.js';

/** How long reads, revokes and faults go on; the full proof sets more. */
const SECONDS = Number(process.env['REPLICA_PROOF_SECONDS'] ?? 8);

describe('reads through a standby', function () {
  this.timeout((SECONDS + 120) * 1000);
  let room: string;
  let standby: Standby;
  let running: RunningService;
  let app: TestPartner;
  let operator: TestPartner;

  before(async () => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'replica-proof-')));
    chmodSync(room, 0o755);
    standby = await Standby.start(room);
    // No jobs: facts of closed epochs stay where they are, for the gate alone to hold back.
    const env = { ROLE: 'gateway', DATABASE_REPLICA_URLS: standby.url };
    running = await startService(configFrom(testEnvironment(await freePort(), standby.primary.url, env)));
    operator = new TestPartner(running.url, { 'x-service-admin-key': TEST_ADMIN_KEY });
    app = await register(operator);
  });

  after(async () => {
    standby.signal('SIGCONT');
    await running.stop();
    await standby.stop();
    rmSync(room, { recursive: true, force: true });
  });

  it('never show what was revoked, whatever befalls the standby; reads of the standby alone do', async () => {
    const trial = new ReplicaTrial(running, standby, app, 12);
    const result = await trial.run(SECONDS);
    await trial.close();
    console.log(`      ${JSON.stringify(result)}`);
    expect(result.stale).to.equal(0);
    expect(result.fromReplica).to.be.greaterThan(0);
    expect(result.fallbacks).to.be.greaterThan(0);
    expect(result.controlStale, 'the negative control').to.be.greaterThan(0);
  });

  it('know erased customers, narrowed purposes and new epochs while replay stands still', async () => {
    const trial = new ReplicaTrial(running, standby, app, 3);
    const [erased = '', kept = '', renewed = ''] = await trial.prepare();
    await trial.caughtUp();
    await standby.pauseReplay();
    expect((await app.rest('DELETE', `/v1/customers/${erased}`)).status).to.equal(204);
    expect((await app.rest('GET', `/v1/profiles/${erased}`)).status).to.equal(404);
    await trial.revoke(renewed);
    await trial.grant(renewed);
    expect((await app.rest('GET', `/v1/profiles/${renewed}`)).body.facts).to.deep.equal([]);
    const narrowed = { allowed_consent_purposes: ['support'] };
    const headers = { 'idempotency-key': freshKey() };
    expect((await operator.rest('PATCH', `/v1/apps/${app.appId}`, narrowed, headers)).status).to.equal(200);
    expect((await app.rest('GET', `/v1/profiles/${kept}`)).body.facts).to.deep.equal([]);
    expect((await app.rest('GET', `/v1/profiles/${kept}?consent_purpose=personalization`)).status).to.equal(403);
    await standby.resumeReplay();
    await trial.close();
  });
});

async function register(operator: TestPartner): Promise<TestPartner> {
  const scopes = ['profile:read', 'customers:write', 'consent:write'];
  const fields = { name: 'Replicated', redirect_uris: ['https://replica.example/back'], allowed_scopes: scopes };
  const { body } = await operator.rest('POST', '/v1/apps', fields);
  const credentials = { appId: String(body.app_id), clientSecret: String(body.client_secret) };
  const response = await fetch(`${operator.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${credentials.appId}:${credentials.clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return new TestPartner(operator.baseUrl, { authorization: `Bearer ${access_token}` }, credentials);
}
