import { expect } from 'chai';
import pg from 'pg';
import { newId } from '../../src/domain/ids.js';
import { deleteAccount } from '../../src/accounts/deleteAccount.js';
import { ChildService } from '../support/ChildService.js';
import { TestService } from '../support/TestService.js';
import type { TestPartner } from '../support/TestPartner.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';
import { sessionOf } from '../support/sessionOf.js';
import { recordProof } from '../support/recordProof.js';
import { itInProofs } from '../support/itInProofs.js';

/** The deletion of an account whose process is killed in its middle: a lock holds it there. */
describe('The deletion of an account whose process is killed', function () {
  this.timeout(240_000);
  let service: TestService;
  let owner: pg.Client;
  let apps: TestPartner[];

  before(async () => {
    // The jobs are those of the processes that are killed.
    service = await TestService.start({ ROLE: 'gateway' });
    owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    apps = [await service.makeApp(), await service.makeApp(), await service.makeApp()];
    apps.sort((one, other) => (one.appId < other.appId ? -1 : 1));
  });
  after(async () => {
    await owner.end();
    await service.stop();
  });

  interface Linked {
    app: TestPartner;
    customer: string;
  }

  /** An account with a granted purpose at each partner. */
  async function newAccount(): Promise<{ account: string; links: Linked[] }> {
    const account = newId('acc');
    await service.sql(
      `INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at) VALUES ($1, $2, true, now(), now())`,
      [account, `${account}@example.org`],
    );
    const links: Linked[] = [];
    for (const app of apps) {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'analytics');
      await service.sql(
        `INSERT INTO account_links (account_id, app_id, customer_id, linked_at) VALUES ($1, $2, $3, now())`,
        [account, app.appId, customer],
      );
      links.push({ app, customer });
    }
    return { account, links };
  }

  async function isGranted({ app, customer }: Linked): Promise<boolean> {
    const body = expectStatus(await app.rest('GET', `/v1/customers/${customer}/effective-consent`), 200);
    return (body.purposes as { status: string }[]).some(({ status }) => status === 'granted');
  }

  const statusOf = async (erasure: string | undefined): Promise<unknown> =>
    (await service.sql('SELECT status FROM account_erasures WHERE erasure_id = $1', [erasure]))[0]?.[
      'status'
    ];

  /** Waits until somebody waits for what this connection holds. */
  async function untilBlocked(): Promise<void> {
    const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    for (;;) {
      const waiting = await service.sql(
        'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
        [rows[0]?.pid],
      );
      if (waiting.length > 0) return;
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  /** Begins a deletion, and kills the process that does it after the first withdrawal. */
  async function killInTheMiddle(
    variant?: string,
  ): Promise<{ account: string; links: Linked[]; erasure: string | undefined }> {
    const { account, links } = await newAccount();
    const second = links[1];
    await owner.query('BEGIN');
    await owner.query('SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR UPDATE', [
      second?.app.appId,
      second?.customer,
    ]);
    const erasure = await deleteAccount(service.services, await sessionOf(service, account));
    const child = await ChildService.start(service.database.ownerUrl, {}, variant);
    await untilBlocked();
    await child.kill();
    await owner.query('ROLLBACK');
    const granted = await Promise.all(links.map(isGranted));
    expect(granted, 'it was in the middle').to.deep.equal([false, true, true]);
    expect(await statusOf(erasure)).to.equal('running');
    return { account, links, erasure };
  }

  const isQueued = async (erasure: string | undefined): Promise<boolean> =>
    (await service.sql(`SELECT 1 FROM work_queue WHERE queue = 'account' AND subject = $1`, [erasure]))
      .length > 0;

  itInProofs('is finished by another process and withdraws every consent once', async () => {
    const { account, links, erasure } = await killInTheMiddle();
    const [first] = links;
    expect(await isQueued(erasure)).to.equal(true);
    const next = await ChildService.start(service.database.ownerUrl);
    while ((await statusOf(erasure)) !== 'completed') await new Promise((wake) => setTimeout(wake, 50));
    await next.kill();
    expect(await Promise.all(links.map(isGranted))).to.deep.equal([false, false, false]);
    expect(await service.sql('SELECT 1 FROM accounts WHERE account_id = $1', [account])).to.deep.equal([]);
    expect(await service.sql('SELECT 1 FROM account_links WHERE account_id = $1', [account])).to.deep.equal(
      [],
    );
    const cascades = await service.sql(
      `SELECT 1 FROM workflows WHERE app_id = $1 AND type = 'consent_revocation_cascade'`,
      [first?.app.appId],
    );
    expect(cascades, 'withdrawn once').to.have.length(1);
  });

  itInProofs('is not finished when the worker leaves the queue before it is done (control)', async () => {
    const { erasure } = await killInTheMiddle('proofs/variants/dequeueFirst.js');
    expect(await isQueued(erasure), 'nobody would finish it').to.equal(false);
  });

  it('changes nothing when its connection is terminated before the commit', async () => {
    const { account, links } = await newAccount();
    const session = await sessionOf(service, account);
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE account_erasures IN SHARE MODE');
    const begun = deleteAccount(service.services, session).catch(() => undefined);
    await untilBlocked();
    // The transaction has taken the account apart and is not committed; its connection dies as with its
    // process.
    await service.sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0',
    );
    await owner.query('ROLLBACK');
    await begun;
    expect(await Promise.all(links.map(isGranted))).to.deep.equal([true, true, true]);
    const rows = await service.sql('SELECT email FROM accounts WHERE account_id = $1', [account]);
    expect(rows).to.deep.equal([{ email: `${account}@example.org` }]);
    expect(
      await service.sql('SELECT 1 FROM account_erasures WHERE account_id = $1', [account]),
    ).to.deep.equal([]);
    recordProof({
      proof: 'accountDeletionKills',
      injected: 'kill -9 between two withdrawals of a deletion; a connection killed before it is committed',
      times: 2,
      checked: 'finished by another process and withdrawn once, or not begun',
      figure: 'all three connections withdrawn once; the other account is whole',
      broken: '–',
    });
  });
});
