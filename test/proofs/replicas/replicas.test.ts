import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../../support/ChildService.js';
import { ReplicationHarness } from '../../support/ReplicationHarness.js';
import { administratorAt, fetchToken, registerApp } from '../../support/registerApp.js';
import { recordProof } from '../../support/recordProof.js';
import { freshKey, TestPartner } from '../../support/TestPartner.js';
import { extentsOf } from './extents.js';
import { Readers } from './Readers.js';
import { ReplicaProof } from './ReplicaProof.js';
import { Subjects } from './Subjects.js';
import type { Sources } from './summarize.js';
import { summarize } from './summarize.js';

/** Of the full extents; `npm run proof:replicas` has 100. */
const PERCENT = Number(process.env['REPLICA_PROOF_PERCENT'] ?? 1);
const MINUTE_MS = 60_000;
const STANDBYS = 2;
const GATEWAYS = 2;

describe('Reads through standbys', function () {
  this.timeout(180_000 + PERCENT * 30_000);
  let harness: ReplicationHarness;
  let owner: pg.Pool;
  let gateways: ChildService[] = [];
  let broken: ChildService;
  let apps: TestPartner[];
  let record: (broken: string) => void = () => undefined;
  let operator: TestPartner;
  /** Tokens live 15 minutes, less than a full proof may take. */
  let renew: () => Promise<void>;

  before(async () => {
    harness = await ReplicationHarness.start(STANDBYS);
    owner = new pg.Pool({ connectionString: harness.primaryUrl, max: 8 });
    // No jobs: facts of closed epochs stay where they are, for the gate alone to hold back.
    const env = { ROLE: 'gateway', DATABASE_REPLICA_URLS: harness.standbys.map(({ url }) => url).join(',') };
    for (let index = 0; index < GATEWAYS; index += 1)
      gateways = [...gateways, await ChildService.start(harness.primaryUrl, env)];
    broken = await ChildService.start(harness.primaryUrl, env, 'proofs/variants/gateOfReplica.js');
    operator = administratorAt(gateways[0]?.url ?? '');
    const app = await registerApp(operator.baseUrl);
    const credentials = { authorization: '' };
    renew = async () =>
      void (credentials.authorization = `Bearer ${await fetchToken(operator.baseUrl, app)}`);
    await renew();
    apps = gateways.map(({ url }) => new TestPartner(url, credentials, app));
  });

  after(async () => {
    for (const standby of harness.standbys) standby.signal('SIGCONT');
    await Promise.all([...gateways, broken].map((gateway) => gateway?.kill()));
    await owner.end();
    await harness.stop();
  });

  it('show nothing that was revoked while standbys lag, stop and restart', async () => {
    const [app] = apps as [TestPartner];
    const extents = extentsOf(PERCENT);
    const proof = new ReplicaProof(harness, new Subjects(apps, owner), apps, app.at(broken.url), extents);
    const tell = async (): Promise<void> =>
      console.log(`      ${summarize(proof.result(), await sourcesOf(gateways))}`);
    const progress = setInterval(() => void tell().catch(() => undefined), MINUTE_MS);
    const renewal = setInterval(() => void renew().catch(() => undefined), 5 * MINUTE_MS);
    const result = await proof.run().finally(() => {
      clearInterval(progress);
      clearInterval(renewal);
    });
    await tell();
    expect(result.stale).to.equal(0);
    expect(result.live).to.be.greaterThan(0);
    const { answered, behind, unanswered } = await sourcesOf(gateways);
    expect(answered).to.be.greaterThan(0);
    expect(behind + unanswered).to.be.greaterThan(0);
    record = (broken) =>
      recordProof({
        proof: 'replicas/replicas',
        injected:
          'standbys that lag, stop, restart and are cut off, while profiles are read over HTTP and revoked',
        times: result.live + result.stale,
        checked: 'nothing closed is shown',
        figure: summarize(result, { answered, behind, unanswered }),
        broken,
      });
  });

  it('show what was revoked when a gateway reads consent from a standby (control)', async () => {
    const subjects = new Subjects(apps, owner);
    const [app] = apps as [TestPartner];
    const [id = ''] = await subjects.prepare(1);
    await harness.caughtUp();
    await Promise.all(harness.standbys.map((standby) => standby.pauseReplay()));
    await subjects.revoke(id);
    const [honest, control] = [new Readers(apps, subjects), new Readers([app.at(broken.url)], subjects)];
    // A standby that does not answer in time is passed over: then the primary decides here too.
    while (control.counts.stale === 0) {
      await control.readOne(id);
      await honest.readOne(id);
    }
    await Promise.all(harness.standbys.map((standby) => standby.resumeReplay()));
    expect(honest.counts.stale).to.equal(0);
    record(
      `a gateway that asks a standby for consent too shows it, over HTTP (${honest.counts.single} honest reads beside it: 0)`,
    );
  });

  it('respect erased customers, narrowed purposes and new epochs while replay is paused', async () => {
    const subjects = new Subjects(apps, owner);
    const [app, other] = [apps[0], apps.at(-1)] as [TestPartner, TestPartner];
    const [erased = '', kept = '', renewed = ''] = await subjects.prepare(3);
    await harness.caughtUp();
    await Promise.all(harness.standbys.map((standby) => standby.pauseReplay()));
    expect((await app.rest('DELETE', `/v1/customers/${erased}`)).status).to.equal(204);
    expect((await other.rest('GET', `/v1/profiles/${erased}`)).status).to.equal(404);
    await subjects.revoke(renewed);
    await subjects.grant(renewed);
    expect((await other.rest('GET', `/v1/profiles/${renewed}`)).body.facts).to.deep.equal([]);
    expect((await other.rest('GET', `/v1/profiles/${kept}`)).body.facts).to.have.length(1);
    const narrowed = { allowed_consent_purposes: ['support'] };
    const headers = { 'idempotency-key': freshKey() };
    expect((await operator.rest('PATCH', `/v1/apps/${app.appId}`, narrowed, headers)).status).to.equal(200);
    expect((await other.rest('GET', `/v1/profiles/${kept}`)).body.facts).to.deep.equal([]);
    expect((await other.rest('GET', `/v1/profiles/${kept}?consent_purpose=personalization`)).status).to.equal(
      403,
    );
    await Promise.all(harness.standbys.map((standby) => standby.resumeReplay()));
  });
});

/** Of all gateways together. */
async function sourcesOf(gateways: readonly ChildService[]): Promise<Sources> {
  const texts = await Promise.all(gateways.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const countOf = (outcome: keyof Sources): number => {
    const line = new RegExp(`^replica_profiles_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm');
    return texts.reduce((sum, text) => sum + Number(line.exec(text)?.[1] ?? 0), 0);
  };
  return { answered: countOf('answered'), behind: countOf('behind'), unanswered: countOf('unanswered') };
}
