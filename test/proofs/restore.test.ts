import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { startService } from '../../src/app.js';
import type { RunningService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import { PostgresServer, debianPostgres } from '../support/PostgresServer.js';
import { registerApp } from '../support/registerApp.js';
import { recordProof } from '../support/recordProof.js';
import { claimBody, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { testEnvironment } from '../support/TestService.js';
import { skipUnless } from '../support/skipUnless.js';
import { IN_PROOFS, ONLY_IN_PROOFS } from '../support/itInProofs.js';

const CUSTOMERS = 20;

/**
 * `deploy/backup` with Debian's PostgreSQL: a restore to a moment before withdrawals. The journal alone is in
 * `npm test`.
 */
describe('A restore to a point in time', function () {
  this.timeout(600_000);
  const bin = debianPostgres();
  const room = PostgresServer.room(realpathSync(mkdtempSync(join(tmpdir(), 'restore-proof-'))));
  const clusters: PostgresServer[] = [];
  const scripts = join(room, 'scripts');

  after(async () => {
    for (const cluster of clusters) await cluster.stop();
    rmSync(room, { recursive: true, force: true });
  });

  const start = (cluster: PostgresServer): Promise<RunningService> =>
    startService(configFrom(testEnvironment(0, cluster.url, { REVOCATION_JOURNAL: join(room, 'journal') })));

  const startRecovered = async (cluster: PostgresServer): Promise<void> => {
    await cluster.start();
    for (;;) {
      const [state] = await cluster.query('SELECT pg_is_in_recovery() AS recovering');
      if (state?.['recovering'] === false) break;
      await new Promise((wake) => setTimeout(wake, 50));
    }
  };

  it('keeps consents closed that were withdrawn after that time', async function () {
    skipUnless(this, IN_PROOFS, ONLY_IN_PROOFS);
    skipUnless(this, bin !== undefined, 'PostgreSQL of Debian is not installed (apt-get install postgresql)');
    if (bin === undefined) return;
    // The server's account has to get at the scripts, wherever the checkout is.
    cpSync(resolve('deploy/backup'), scripts, { recursive: true });
    const archive = PostgresServer.room(join(room, 'wal'));
    const backups = PostgresServer.room(join(room, 'backups'));
    const live = await PostgresServer.create(bin, join(room, 'live'), [
      'wal_level = replica',
      'archive_mode = on',
      `archive_command = '${scripts}/archive-wal.sh %p %f ${archive}'`,
    ]);
    clusters.push(live);
    await live.start();
    const service = await start(live);
    const app = await registerApp(service.url);
    const receipts: string[] = [];
    const customers: string[] = [];
    for (let made = 0; made < CUSTOMERS; made += 1) {
      const customer = await makeCustomer(app);
      receipts.push(await grant(app, customer, 'personalization'));
      await sendClaims(app, claimBody(customer));
      customers.push(customer);
    }
    const backup = live.run(join(scripts, 'backup.sh'), [live.url, backups]).trim();
    const [row] = await live.query('SELECT clock_timestamp()::text AS now');
    // Something between the moment and the withdrawals, so that recovery has a transaction to stop before.
    await makeCustomer(app);
    const [later] = await live.query('SELECT clock_timestamp()::text AS now');
    for (const receipt of receipts.slice(0, CUSTOMERS / 2)) await revoke(app, receipt);
    await live.query('SELECT pg_switch_wal()');
    for (;;) {
      const [state] = await live.query(
        `SELECT last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1)
          OR last_archived_wal IS NOT NULL AS done
           FROM pg_stat_archiver`,
      );
      if (state?.['done'] === true) break;
      await new Promise((wake) => setTimeout(wake, 50));
    }
    await service.stop();
    await live.stop();

    const restored = new PostgresServer(bin, join(room, 'restored'), live.port);
    clusters.push(restored);
    live.run(join(scripts, 'restore.sh'), [backup, archive, restored.data, String(row?.['now'])]);
    await startRecovered(restored);
    const closed = `SELECT count(*)::integer AS n FROM customer_heads WHERE granted_mask = 0`;
    const [before] = await restored.query(closed);
    expect(before).to.deep.equal({ n: 0 });

    const running = await start(restored);
    const back = app.at(running.url);
    let denied = 0;
    for (const [place, customer] of customers.entries()) {
      const answer = await back.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`);
      const isWithdrawn = place < CUSTOMERS / 2;
      expect(answer.status, `customer ${place}`).to.equal(isWithdrawn ? 403 : 200);
      denied += isWithdrawn ? 1 : 0;
    }
    await running.stop();
    await restored.query('SELECT pg_switch_wal()');
    await restored.stop();

    // A second restore, to a time after the first: what was committed between the two is not on the timeline
    // that the first one began.
    const again = new PostgresServer(bin, join(room, 'again'), live.port);
    clusters.push(again);
    const second = [backup, archive, again.data, String(later?.['now'])];
    expect(() => live.run(join(scripts, 'restore.sh'), second)).to.throw('has later ones: 2.');
    live.run(join(scripts, 'restore.sh'), [...second, '1']);
    await startRecovered(again);
    const [found] = await again.query('SELECT count(*)::integer AS n FROM customers');
    expect(found).to.deep.equal({ n: CUSTOMERS + 1 });
    recordProof({
      proof: 'restore',
      injected: 'pg_basebackup, WAL, recovery to a moment before withdrawals',
      times: 1,
      checked: 'no withdrawn consent comes back',
      figure: `${denied} of ${denied} withdrawn stay denied, ${CUSTOMERS - denied} of ${CUSTOMERS - denied} others are read`,
      broken: `the restored database before the replay: ${denied} of ${denied} open`,
    });
  });
});
