import { expect } from 'chai';
import { startService } from '../../../src/app.js';
import type { RunningService } from '../../../src/app.js';
import { configFrom } from '../../../src/config.js';
import { hasProgram } from '../../support/hasProgram.js';
import { debianPostgres } from '../../support/PostgresServer.js';
import { recordProof } from '../../support/recordProof.js';
import { registerApp } from '../../support/registerApp.js';
import { skipUnless } from '../../support/skipUnless.js';
import { testEnvironment } from '../../support/TestService.js';
import { FailoverLoad } from './FailoverLoad.js';
import { PatroniCluster } from './PatroniCluster.js';
import { IN_PROOFS, ONLY_IN_PROOFS } from '../../support/itInProofs.js';

const NODES = ['one', 'two', 'three'];
const CLIENTS = 6;
const MANY = 50;
const KILLS = 3;

/** Patroni replaces primaries that are lost or relieved under load; the service finds each. */
describe('PostgreSQL under Patroni', function () {
  this.timeout(1_800_000);
  const services: RunningService[] = [];
  let cluster: PatroniCluster | undefined;

  before(async function () {
    skipUnless(this, IN_PROOFS, ONLY_IN_PROOFS);
    const bin = debianPostgres() ?? '';
    const isHere = bin !== '' && hasProgram('patroni') && hasProgram('etcd');
    skipUnless(
      this,
      isHere,
      'patroni, etcd or PostgreSQL is missing: apt-get install patroni etcd-server postgresql',
    );
    cluster = await PatroniCluster.start(bin, NODES);
  });

  after(async () => {
    for (const service of services) await service.stop();
    await cluster?.stop();
  });

  it('loses nothing and shows nothing that was withdrawn after changes of the leader', async () => {
    if (cluster === undefined) throw new Error('There is no cluster.');
    const { url, urls } = cluster;
    const env = { DATABASE_REPLICA_URLS: urls.join(','), DRAIN_MS: '0' };
    for (let made = 0; made < 2; made += 1)
      services.push(await startService(configFrom(testEnvironment(0, url, env))));
    const gateways = services.map((service) => service.url);
    const app = await registerApp(gateways[0] ?? '');
    const load = new FailoverLoad(app, gateways);
    await load.start(CLIENTS);
    const took = { lost: 0, relieved: 0 };
    for (let round = 0; round < KILLS; round += 1) {
      await load.acceptMore(MANY);
      await load.withdrawMore(3);
      const former = (await cluster.leader()) ?? '';
      const lostAt = performance.now();
      await cluster.lose(former);
      await cluster.replaced(former);
      await load.acceptMore(2);
      took.lost = Math.max(took.lost, performance.now() - lostAt);
      await load.withdrawMore(3);
      cluster.bringBack(former);
      await cluster.whole();
      await load.readMore(50);

      const relieved = (await cluster.leader()) ?? '';
      const orderedAt = performance.now();
      await cluster.switchOver();
      await cluster.replaced(relieved);
      await load.acceptMore(2);
      took.relieved = Math.max(took.relieved, performance.now() - orderedAt);
      await cluster.whole();
    }
    await load.withdrawMore(3);
    await load.readMore(50);
    await load.end();

    expect(load.wrong.slice(0, 3).join('\n'), 'answers').to.equal('');
    expect(load.stale, 'profiles shown after their withdrawal').to.equal(0);
    expect(await load.lost(), 'accepted claims that are lost').to.equal(0);
    for (const gateway of gateways)
      expect(await load.reopened(gateway), 'withdrawals that are lost').to.equal(0);
    recordProof({
      proof: 'patroni',
      injected:
        'three nodes under Patroni 3 and etcd, the leader killed with its Patroni under load and brought back, roles swapped by order',
      times: 2 * KILLS,
      checked: 'nothing accepted is lost, nothing withdrawn is shown, gateways find each new leader',
      figure:
        `${load.accepted.length} claims, ${load.withdrawn.length} withdrawals and ${load.reads} reads, ${load.refused} ` +
        `times 503; 0 lost, 0 stale; written again at most ${seconds(took.lost)} after a kill (lease 30 s), ` +
        `${seconds(took.relieved)} after an order`,
      broken: 'that of `failover`: without synchronous replication claims are lost and consents come back',
    });
  });
});

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
