import { expect } from 'chai';
import { startService } from '../../../src/app.js';
import type { RunningService } from '../../../src/app.js';
import { configFrom } from '../../../src/config.js';
import type { Environment } from '../../../src/config.js';
import { claimBody, grant, makeCustomer } from '../../support/records.js';
import { recordProof } from '../../support/recordProof.js';
import { registerApp } from '../../support/registerApp.js';
import { testEnvironment } from '../../support/TestService.js';
import { FailoverLoad } from './FailoverLoad.js';
import { ReplicatedPair } from './ReplicatedPair.js';
import { IN_PROOFS, itInProofs } from '../../support/itInProofs.js';

const ROUNDS = IN_PROOFS ? 5 : 1;
const CLIENTS = IN_PROOFS ? 8 : 3;
const MANY = IN_PROOFS ? 100 : 10;

/**
 * Those that ever asked anything: a connection for reads of replicas is opened, and left when it is no
 * standby's.
 */
const CONNECTIONS = `SELECT count(*)::integer AS n FROM pg_stat_activity
  WHERE application_name IN ('consent-profile-service', 'consent-notices') AND query <> ''`;
const LISTENING = `SELECT count(*)::integer AS n FROM pg_stat_activity
  WHERE application_name = 'consent-notices' AND state = 'idle'`;

/** A standby promoted under load: nothing accepted is lost, and nobody reads what was before. */
describe('A failover to a standby', function () {
  this.timeout(IN_PROOFS ? 3_600_000 : 300_000);
  const pairs: ReplicatedPair[] = [];
  const services: RunningService[] = [];

  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
    for (const pair of pairs.splice(0)) await pair.stop();
  });

  async function pairOf(isSynchronous: boolean): Promise<ReplicatedPair> {
    const pair = await ReplicatedPair.start(isSynchronous);
    pairs.push(pair);
    return pair;
  }

  async function startOn(url: string, env: Environment = {}): Promise<RunningService> {
    const service = await startService(configFrom(testEnvironment(0, url, { DRAIN_MS: '0', ...env })));
    services.push(service);
    return service;
  }

  itInProofs(
    'loses nothing, shows nothing that was withdrawn and does not use the former primary',
    async () => {
      const seen = { accepted: 0, withdrawn: 0, reads: 0, refused: 0, longestMs: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        const pair = await pairOf(true);
        const env = { DATABASE_REPLICA_URLS: pair.urls.join(',') };
        const nodes = [await startOn(pair.url, env), await startOn(pair.url, env)];
        const app = await registerApp(nodes[0]?.url ?? '');
        const load = new FailoverLoad(
          app,
          nodes.map(({ url }) => url),
        );
        await load.start(CLIENTS);
        await load.acceptMore(MANY);
        await load.withdrawMore(3);

        await pair.first.stop('kill');
        const killedAt = performance.now();
        await pair.second.query('SELECT pg_promote()');
        await load.acceptMore(2);
        seen.longestMs = Math.max(seen.longestMs, performance.now() - killedAt);
        await load.withdrawMore(3);
        while (((await pair.second.query(LISTENING))[0]?.['n'] as number) < nodes.length)
          await new Promise((wake) => setTimeout(wake, 50));

        // It comes back as what it was, with what it had, and waits for no standby.
        await pair.first.start(['synchronous_standby_names=']);
        const late = await startOn(pair.url, env);
        const before = load.withdrawn.length;
        await load.withdrawMore(MANY / 5);
        await load.readMore(50);
        await late.services.database.isDistributed();
        expect(
          (await pair.first.query(CONNECTIONS))[0],
          'connections that use the former primary',
        ).to.deep.equal({
          n: 0,
        });
        const fresh = await makeCustomer(app.at(late.url));
        await load.end();

        expect(load.wrong.slice(0, 3).join('\n'), 'answers').to.equal('');
        expect(load.stale, 'profiles shown after their withdrawal').to.equal(0);
        expect(load.withdrawn.length).to.be.greaterThan(before);
        expect((await app.rest('GET', `/v1/customers/${fresh}`)).status).to.equal(200);
        expect(await load.lost(), 'accepted claims that are lost').to.equal(0);
        for (const url of [late.url, ...nodes.map((node) => node.url)])
          expect(await load.reopened(url), 'withdrawals that are lost').to.equal(0);
        seen.accepted += load.accepted.length;
        seen.withdrawn += load.withdrawn.length;
        seen.reads += load.reads;
        seen.refused += load.refused;
        for (const service of services.splice(0)) await service.stop();
        for (const done of pairs.splice(0)) await done.stop();
      }
      recordProof({
        proof: 'failover',
        injected:
          'the primary killed under load, its synchronous standby promoted, the former primary back and writable',
        times: ROUNDS,
        checked:
          'nothing accepted is lost, nothing withdrawn is shown, nothing is asked of the former primary',
        figure:
          `${seen.accepted} claims, ${seen.withdrawn} withdrawals and ${seen.reads} reads, ${seen.refused} times 503; ` +
          `0 lost, 0 stale; written again at most ${Math.round(seen.longestMs)} ms after the kill`,
        broken: 'without synchronous replication: accepted claims are lost, and withdrawn consents come back',
      });
    },
  );

  itInProofs('loses accepted claims without synchronous replication (control)', async function () {
    const pair = await pairOf(false);
    const node = await startOn(pair.url);
    const app = await registerApp(node.url);
    const load = new FailoverLoad(app, [node.url]);
    await load.start(1);
    await load.acceptMore(3);
    pair.feed.stall();
    await load.acceptMore(5);
    await load.withdrawMore(2);
    await pair.first.stop('kill');
    await pair.second.query('SELECT pg_promote()');
    await load.acceptMore(2);
    await load.end();
    expect(await load.lost()).to.be.greaterThan(0);
    expect(await load.reopened(node.url)).to.be.greaterThan(0);
  });

  itInProofs('is missed by a gateway that knows only the former primary (control)', async function () {
    const pair = await pairOf(true);
    const node = await startOn(pair.url);
    const app = await registerApp(node.url);
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    expect((await app.rest('POST', '/v1/claims', claimBody(customer))).status).to.equal(202);
    await pair.first.stop('kill');
    await pair.second.query('SELECT pg_promote()');
    while ((await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {})).status !== 202)
      await new Promise((wake) => setTimeout(wake, 50));
    await pair.first.start(['synchronous_standby_names=']);
    const astray = await startOn(ReplicatedPair.urlOf(pair.first), { ROLE: 'gateway' });
    const path = `/v1/profiles/${customer}?consent_purpose=personalization`;
    expect((await app.at(astray.url).rest('GET', path)).status, 'the former primary').to.equal(200);
    expect((await app.rest('GET', path)).status, 'both hosts').to.equal(403);
  });

  it('closes the connections to a former primary that still runs', async () => {
    const pair = await pairOf(false);
    const node = await startOn(pair.url);
    const app = await registerApp(node.url);
    expect((await pair.first.query(CONNECTIONS))[0]?.['n']).to.be.greaterThan(0);
    await pair.second.query('SELECT pg_promote()');
    while (((await pair.first.query(CONNECTIONS))[0]?.['n'] as number) > 0)
      await new Promise((wake) => setTimeout(wake, 50));
    await makeCustomer(app);
    expect((await pair.first.query(CONNECTIONS))[0]).to.deep.equal({ n: 0 });
  });
});
