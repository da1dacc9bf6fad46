import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { startService } from '../../src/app.js';
import type { RunningService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import { decideConnection } from '../../src/commands/decideConnection.js';
import { deleteAccount } from '../../src/accounts/deleteAccount.js';
import { RevocationJournal } from '../../src/database/RevocationJournal.js';
import { execute } from '../support/execute.js';
import { linkedPerson, signInAt } from '../support/linkedPerson.js';
import { sessionOf } from '../support/sessionOf.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { testEnvironment, TestService } from '../support/TestService.js';

const NOBODY = 65_534;

/**
 * The journal of withdrawals beside a database that was restored: a copy of it as it was at an earlier
 * moment.
 */
describe('the journal of withdrawals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'consent-journal-'));
  let live: TestService;
  let app: TestPartner;
  let copies = 0;

  before(async () => {
    live = await TestService.start({ REVOCATION_JOURNAL: folder });
    app = await live.makeApp();
  });
  after(async () => {
    await live.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The database as it is now, under another name, as a backup taken at this moment would bring it back. */
  async function backUp(): Promise<string> {
    const { ownerUrl } = live.database;
    const name = `${new URL(ownerUrl).pathname.slice(1)}_copy_${(copies += 1)}`;
    const admin = new URL(ownerUrl);
    admin.pathname = '/postgres';
    const client = new pg.Client({ connectionString: admin.toString() });
    await client.connect();
    const source = new URL(ownerUrl).pathname.slice(1);
    await client.query(`ALTER DATABASE ${source} ALLOW_CONNECTIONS false`);
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${source}'`);
    for (;;) {
      const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE datname = '${source}'`);
      if (rows.length === 0) break;
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
    await client.query(`ALTER DATABASE ${source} ALLOW_CONNECTIONS true`);
    await client.end();
    const copy = new URL(ownerUrl);
    copy.pathname = `/${name}`;
    return copy.toString();
  }

  async function drop(url: string): Promise<void> {
    await execute(live.database.ownerUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  }

  const start = (url: string, env: Record<string, string> = {}): Promise<RunningService> =>
    startService(
      configFrom(testEnvironment(0, url, { ROLE: 'gateway', REVOCATION_JOURNAL: folder, ...env })),
    );

  const refusal = async (starting: Promise<RunningService>): Promise<string> =>
    starting.then(
      (running) => running.stop().then(() => 'started'),
      (error: Error) => error.message,
    );

  const refusalOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => '',
      (error: Error) => error.message,
    );

  /** Without the rights of the superuser, who may list every folder. */
  const asNobody = async <T>(work: () => Promise<T>): Promise<T> => {
    if (process.geteuid?.() !== 0) return work();
    process.seteuid?.(NOBODY);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
    }
  };

  const readyAgain = async (): Promise<void> => {
    for (let status = 0; status !== 200;)
      ({ status } = await app.rest('GET', '/v1/customers').catch(() => ({ status: 0 })));
  };

  it('takes one entry after another, each as soon as the one before was answered', async () => {
    const own = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    const journal = new RevocationJournal(own);
    const entry = { at: new Date(0).toISOString(), kind: 'account_deleted' } as const;
    const accounts = ['acc_1', 'acc_2', 'acc_3'];
    for (const account_id of accounts) await journal.append({ ...entry, account_id });
    const kept: unknown[] = [];
    for await (const found of journal.entries()) kept.push(found);
    expect(kept).to.deep.equal(accounts.map((account_id) => ({ ...entry, account_id })));
    await journal.close();
    rmSync(own, { recursive: true });
  });

  it('takes a withdrawal from several receipts at once', async () => {
    const person = await linkedPerson(live, app);
    const second = await grant(app, person.customerId, 'support');
    const page = await (await signInAt(live.url, person)).open('/connections');
    expect((await page.submit('/connections/withdraw', { purpose: 'all' })).status).to.equal(200);
    const told: unknown[] = [];
    for await (const entry of new RevocationJournal(folder).entries())
      if (entry.kind === 'revoked' && entry.customer_id === person.customerId) told.push(entry.receipt_id);
    expect(told).to.have.members([person.receiptId, second]);
  });

  it('repeats withdrawals, erasures and deleted apps that came after a backup', async () => {
    const [customer, kept, erased] = [
      await makeCustomer(app),
      await makeCustomer(app),
      await makeCustomer(app),
    ];
    const receipt = await grant(app, customer, 'personalization', 'support');
    await grant(app, kept, 'personalization');
    for (const id of [customer, kept]) await sendClaims(app, claimBody(id, { value: 'crime' }));
    const other = await live.makeApp();
    const restored = await backUp();
    await readyAgain();
    await revoke(app, receipt, 'personalization');
    expectStatus(await app.rest('DELETE', `/v1/customers/${erased}`), 204);
    const path = `${live.url}/operator/apps/${other.appId}?confirm=${other.appId}`;
    const deleted = await fetch(path, {
      method: 'DELETE',
      headers: { 'x-service-admin-key': TEST_ADMIN_KEY },
    });
    expect(deleted.status).to.equal(202);

    // Without the replay the copy gives out what was withdrawn: this is what the test guards against.
    const client = new pg.Client({ connectionString: restored });
    await client.connect();
    const open = await client.query('SELECT granted_mask FROM customer_heads WHERE customer_id = $1', [
      customer,
    ]);
    await client.end();
    const [now] = await live.sql('SELECT granted_mask FROM customer_heads WHERE customer_id = $1', [
      customer,
    ]);
    expect(open.rows[0]?.granted_mask).to.be.greaterThan(now.granted_mask);

    const running = await start(restored);
    try {
      const back = app.at(running.url);
      const profile = (id: string, purpose: string) =>
        back.rest('GET', `/v1/profiles/${id}?consent_purpose=${purpose}`);
      expect((await profile(customer, 'personalization')).body.error.code).to.equal('consent_denied');
      expect((await profile(customer, 'support')).status).to.equal(200);
      expect((await profile(kept, 'personalization')).status).to.equal(200);
      expect((await back.rest('GET', `/v1/customers/${erased}`)).status).to.equal(404);
      expect((await other.at(running.url).rest('GET', '/v1/customers')).status).to.equal(401);
    } finally {
      await running.stop();
    }
    await drop(restored);
  });

  /** What a node serves of a customer after a restore, and the status of the profile there. */
  async function servedAfter(restored: string, customer: string): Promise<number> {
    const running = await start(restored);
    try {
      const path = `/v1/profiles/${customer}?consent_purpose=personalization`;
      return (await app.at(running.url).rest('GET', path)).status;
    } finally {
      await running.stop();
    }
  }

  /** Entries as versions before epochs wrote them. */
  function forgetEpochs(): void {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.jsonl'))) {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,"epochs":\[[\d,]*\]/g, ''));
    }
  }

  for (const [from, prepare] of [
    ['this version', () => undefined],
    ['a version before epochs', forgetEpochs],
  ] as const) {
    it(`repeats withdrawals of a receipt that was withdrawn before, from ${from}`, async () => {
      const customer = await makeCustomer(app);
      const first = await grant(app, customer, 'personalization');
      await revoke(app, first, 'personalization');
      await grant(app, customer, 'personalization');
      const restored = await backUp();
      await readyAgain();
      await revoke(app, first, 'personalization');
      prepare();
      expect(await servedAfter(restored, customer)).to.equal(403);
      await drop(restored);
    });

    it(`repeats withdrawals of a lost receipt where an older one grants, from ${from}`, async () => {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization');
      await sendClaims(app, claimBody(customer, { value: 'crime' }));
      const restored = await backUp();
      await readyAgain();
      await revoke(app, await grant(app, customer, 'personalization'), 'personalization');
      prepare();
      expect(await servedAfter(restored, customer)).to.equal(403);
      await drop(restored);
    });
  }

  it('leaves open what is granted after a restore, however much the restore lost', async () => {
    const customer = await makeCustomer(app);
    const restored = await backUp();
    await readyAgain();
    for (let times = 0; times < 3; times += 1)
      await revoke(app, await grant(app, customer, 'personalization'), 'personalization');
    expect(await servedAfter(restored, customer)).to.equal(403);
    const running = await start(restored);
    await grant(app.at(running.url), customer, 'personalization');
    await running.stop();
    for (const time of ['first', 'second']) expect(await servedAfter(restored, customer), time).to.equal(200);
    await drop(restored);
  });

  it('ends an approval whose receipt was lost and withdrawn', async () => {
    const { accountId, customerId } = await linkedPerson(live, app);
    await live.sql('UPDATE accounts SET email_verified = true WHERE account_id = $1', [accountId]);
    const created = await app.rest('POST', '/v1/connection-sessions', {
      customer_id: customerId,
      requested_purposes: ['support'],
      redirect_uri: 'https://partner.example/callback',
    });
    const sessionId = String(expectStatus(created, 201).session.id);
    const { database, clock, secrets } = live.services;
    await database.transaction(app.appId, (tx) =>
      decideConnection(
        tx,
        { appId: app.appId, clock, secrets },
        { sessionId, accountId, purposes: ['support'] },
      ),
    );
    const restored = await backUp();
    await readyAgain();
    const receipt = { customer_id: customerId, purposes: ['support'], connection_session_id: sessionId };
    const recorded = expectStatus(await app.rest('POST', '/v1/consent-receipts', receipt), 201);
    await revoke(app, recorded.id, 'support');
    const running = await start(restored);
    const refused = await app.at(running.url).rest('POST', '/v1/consent-receipts', receipt);
    await running.stop();
    expect(refused.status).to.equal(422);
    expect(refused.body.error.details[0].code).to.equal('purpose_not_approved');
    await drop(restored);
  });

  it('closes a deleted account again, once, and ends what it had allowed', async () => {
    const person = await linkedPerson(live, app);
    await live.sql('UPDATE accounts SET email_verified = true WHERE account_id = $1', [person.accountId]);
    const account = 'SELECT email FROM accounts WHERE account_id = $1';
    const restored = await backUp();
    await readyAgain();
    const erasure = await deleteAccount(live.services, await sessionOf(live, person.accountId));
    expect(erasure).to.match(/^ers_/);
    const client = new pg.Client({ connectionString: restored });
    await client.connect();
    const open = await client.query(account, [person.accountId]);
    expect(open.rows).to.deep.equal([{ email: person.email }]);
    const mails = 'SELECT mail_id FROM mails ORDER BY mail_id';
    const told = await client.query(mails);
    expect((await live.sql(mails)).length, 'mails where it was deleted').to.equal(told.rows.length + 1);
    // Two processes that replay at once, and work the queue.
    const nodes = [await start(restored, { ROLE: 'all' }), await start(restored, { ROLE: 'all' })];
    try {
      const back = app.at(nodes[0]?.url ?? '');
      const path = `/v1/profiles/${person.customerId}?consent_purpose=personalization`;
      while ((await back.rest('GET', path)).status !== 403) await new Promise((wake) => setTimeout(wake, 50));
      const erasures = 'SELECT count(*)::integer AS n FROM account_erasures WHERE account_id = $1';
      expect((await client.query(erasures, [person.accountId])).rows).to.deep.equal([{ n: 1 }]);
      while ((await client.query(account, [person.accountId])).rowCount !== 0)
        await new Promise((wake) => setTimeout(wake, 50));
      expect((await client.query(mails)).rows, 'mails').to.deep.equal(told.rows);
    } finally {
      await client.end();
      for (const node of nodes) await node.stop();
    }
    await drop(restored);
  });

  it('is pruned of files before a given day and keeps the one in use', async () => {
    const place = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    const journal = new RevocationJournal(place);
    await journal.begin();
    const entry = { at: new Date().toISOString(), kind: 'account_deleted', account_id: 'acc_1' } as const;
    await journal.append(entry);
    writeFileSync(join(place, '2025-01-31-host-1.jsonl'), `${JSON.stringify(entry)}\n`);
    writeFileSync(join(place, '2025-02-01-host-1.jsonl'), `${JSON.stringify(entry)}\n`);
    appendFileSync(join(place, 'index'), '2025-01-31-host-1.jsonl\n2025-02-01-host-1.jsonl\n');
    for (const day of ['2099-01-01', new Date().toISOString().slice(0, 10), 'soon', '2025-02', '2025-02-30'])
      expect(await refusalOf(journal.prune(day)), day).to.match(/^before must be a day/);
    expect(await journal.prune('2025-02-01')).to.deep.equal(['2025-01-31-host-1.jsonl']);
    expect(await journal.prune('2025-02-01')).to.deep.equal([]);
    await journal.append(entry);
    const read = [];
    for await (const one of new RevocationJournal(place).entries()) read.push(one);
    expect(read).to.deep.equal([entry, entry, entry]);
    await journal.close();
    rmSync(place, { recursive: true });
  });

  it('dates no file before those of others, as a process whose clock is behind would', async () => {
    const place = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    const journal = new RevocationJournal(place);
    await journal.begin();
    const entry = { at: new Date().toISOString(), kind: 'account_deleted', account_id: 'acc_1' } as const;
    writeFileSync(join(place, '2099-01-01-host-1.jsonl'), '');
    writeFileSync(join(place, 'index'), '2099-01-01-host-1.jsonl\n');
    await journal.append(entry);
    await journal.append(entry);
    const days = (await journal.files()).map((name) => name.slice(0, 10));
    expect(days).to.deep.equal(['2099-01-01', '2099-01-01']);
    await journal.close();
    rmSync(place, { recursive: true });
  });

  it('goes on, with no file left open and none too many, while the index cannot be written', async () => {
    const place = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    const journal = new RevocationJournal(place);
    await journal.begin();
    mkdirSync(join(place, 'index'));
    const entry = { at: new Date().toISOString(), kind: 'account_deleted', account_id: 'acc_1' } as const;
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let times = 0; times < 20; times += 1)
      expect(await refusalOf(journal.append(entry))).to.match(/EISDIR/);
    expect(open() - before, 'file descriptors').to.be.below(5);
    rmSync(join(place, 'index'), { recursive: true });
    await journal.append(entry);
    expect(readdirSync(place).filter((name) => name.endsWith('.jsonl'))).to.have.length(1);
    const read = [];
    for await (const one of new RevocationJournal(place).entries()) read.push(one);
    expect(read).to.deep.equal([entry]);
    await journal.close();
    rmSync(place, { recursive: true });
  });

  it('is read whole after a full disk cut a name and an entry short', async () => {
    const place = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    const journal = new RevocationJournal(place);
    await journal.begin();
    writeFileSync(join(place, 'index'), '2026-11-26-host-1\n2026-11-26-ho');
    const entry = { at: new Date().toISOString(), kind: 'account_deleted', account_id: 'acc_1' } as const;
    await journal.append(entry);
    const file = await (journal as unknown as { file: Promise<FileHandle> }).file;
    const { appendFile } = file;
    file.appendFile = async (lines) => {
      await appendFile.call(file, String(lines).slice(0, 20));
      throw new Error('No space left on device');
    };
    for (let times = 0; times < 3; times += 1)
      expect(await refusalOf(journal.append(entry))).to.match(/No space/);
    file.appendFile = appendFile;
    await journal.append(entry);
    expect(readdirSync(place).filter((name) => name.endsWith('.jsonl'))).to.have.length(1);
    const read = [];
    for await (const one of new RevocationJournal(place).entries()) read.push(one);
    expect(read).to.deep.equal([entry, entry]);
    await journal.close();
    rmSync(place, { recursive: true });
  });

  it('is not taken for an empty one when its folder cannot be listed and its index is missing', async () => {
    const place = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    writeFileSync(join(place, '2026-11-26-host-1.jsonl'), '{}\n');
    if (process.geteuid?.() === 0) chownSync(place, NOBODY, NOBODY);
    chmodSync(place, 0o300);
    expect(await asNobody(() => refusalOf(new RevocationJournal(place).files()))).to.match(
      /^REVOCATION_JOURNAL: the folder cannot be listed \(EACCES\)/,
    );
    expect(await refusalOf(new RevocationJournal(join(place, 'none')).files())).to.equal('');
    chmodSync(place, 0o700);
    rmSync(place, { recursive: true });
  });

  it('does not close again what was granted anew, however often it is replayed', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    await revoke(app, receipt);
    await grant(app, customer, 'personalization');
    const node = await start(live.database.ownerUrl);
    await node.stop();
    expect(
      (await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`)).status,
    ).to.equal(200);
  });

  it('contains a withdrawal before it is answered, which fails if it cannot be written', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'personalization');
    const journal = live.services.database as unknown as {
      options: { journal: { append: () => Promise<void> } };
    };
    const { append } = journal.options.journal;
    journal.options.journal.append = () => Promise.reject(new Error('No space left on device'));
    expect((await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {})).status).to.equal(500);
    journal.options.journal.append = append;
    expect(
      (await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`)).status,
    ).to.equal(200);
    await revoke(app, receipt);
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    expect(files.map((name) => readFileSync(join(folder, name), 'utf8')).join('')).to.include(receipt);
  });

  it('is required: a database with a journal is not served without it', async () => {
    const url = live.database.ownerUrl;
    const { REVOCATION_JOURNAL: _none, ...bare } = testEnvironment(0, url, { ROLE: 'gateway' });
    expect(await refusal(startService(configFrom(bare)))).to.match(/^REVOCATION_JOURNAL is not set/);
    const empty = mkdtempSync(join(tmpdir(), 'consent-journal-'));
    expect(await refusal(start(url, { REVOCATION_JOURNAL: empty }))).to.match(/is not in /);
    writeFileSync(join(empty, 'id'), 'another\n');
    expect(await refusal(start(url, { REVOCATION_JOURNAL: empty }))).to.match(/is not in /);
    rmSync(empty, { recursive: true });
    const [name = ''] = readFileSync(join(folder, 'index'), 'utf8').split('\n').filter(Boolean);
    const [index, path] = [join(folder, 'index'), join(folder, name)];
    const names = readFileSync(index);
    rmSync(index);
    expect(await refusal(start(url)), 'withdrawals that nobody would find').to.match(/index is missing/);
    mkdirSync(index);
    expect(await refusal(start(url))).to.match(/index cannot be read \(EISDIR\)/);
    rmSync(index, { recursive: true });
    writeFileSync(index, names);
    const whole = readFileSync(path);
    rmSync(path);
    expect(await refusal(start(url))).to.match(/is missing from its folder/);
    writeFileSync(path, `{"broken\n${whole.toString()}`);
    expect(await refusal(start(url))).to.match(/line 1 of .* is damaged/);
    // A withdrawal that was cut short while it was written was never answered.
    writeFileSync(path, `${whole.toString()}{"kind":"rev`);
    expect(await refusal(start(url))).to.equal('started');
    truncateSync(path, whole.length);
  });
});
