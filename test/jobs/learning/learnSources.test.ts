import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import { deleteCustomer } from '../../../src/commands/deleteCustomer.js';
import { registerWebhookEndpoint } from '../../../src/commands/registerWebhookEndpoint.js';
import { revokeConsentReceipt } from '../../../src/commands/revokeConsentReceipt.js';
import { updateApp } from '../../../src/commands/updateApp.js';
import { ADMIN_SCOPE } from '../../../src/commands/CommandContext.js';
import type { CommandContext } from '../../../src/commands/CommandContext.js';
import type { Transaction } from '../../../src/database/Transaction.js';
import { retryWork } from '../../../src/database/workQueue.js';
import { PLACE_OF } from '../../../src/domain/purposes.js';
import type { Purpose } from '../../../src/domain/purposes.js';
import type { FactExplanation } from '../../../src/domain/resolution/types.js';
import type { Services } from '../../../src/Services.js';
import { drainCustomer, isApplying } from '../../../src/jobs/drainCustomer.js';
import { learnSources } from '../../../src/jobs/learning/learnSources.js';
import { readLiveClaims } from '../../../src/jobs/learning/readLiveClaims.js';
import { LearningFixture } from '../../support/LearningFixture.js';
import type { Saying } from '../../support/LearningFixture.js';
import { LOCK_WAITERS } from '../../support/lockWaiters.js';

const PERSONALIZATION = PLACE_OF['personalization'];
const ANALYTICS = PLACE_OF['analytics'];

/** Three sources that are right, one that errs on every third customer and one that always does. */
function sayingsOf(customer: number): Saying[] {
  const right = `city ${customer % 7}`;
  return [
    { attribute: 'city', source: 'crm', value: right },
    { attribute: 'city', source: 'shop', value: right },
    { attribute: 'city', source: 'survey', value: customer % 3 === 0 ? `elsewhere ${customer % 5}` : right },
    { attribute: 'city', source: 'broker', value: `nowhere ${customer % 4}` },
    { attribute: 'plan', source: 'crm', value: 'gold' },
    { attribute: 'plan', source: 'broker', value: `tin ${customer % 3}` },
  ];
}

describe('learnSources', function () {
  let fixture: LearningFixture;

  beforeEach(async () => {
    fixture = await LearningFixture.open({ '*': { halfLifeDays: Infinity } });
  });
  afterEach(() => fixture.close());

  async function fill(from: number, to: number): Promise<{ id: string; receiptId: string }[]> {
    const customers = [];
    for (let number = from; number < to; number += 1) {
      const customer = await fixture.addCustomer('personalization', 'analytics');
      await fixture.say(customer.id, 'personalization', sayingsOf(number));
      customers.push(customer);
    }
    return customers;
  }

  /** Value and confidence of every fact, in a fixed order. */
  async function facts(): Promise<unknown[]> {
    const rows = await fixture.rows<{ document: string }>(
      'SELECT document FROM facts WHERE app_id = $1 ORDER BY customer_id, purpose, attribute',
    );
    return rows.map((row) => JSON.parse(row.document) as unknown);
  }

  async function accuracy(source: string): Promise<number> {
    const snapshot = await fixture.snapshot(PERSONALIZATION);
    return snapshot?.sources.find((row) => row.source === source)?.accuracy ?? Number.NaN;
  }

  it('learns the accuracy of sources and recomputes the facts', async () => {
    await fill(0, 20);
    await fixture.work();
    const before = (await facts()) as { attribute: string; confidence: number }[];
    await fixture.learn();
    expect(await accuracy('crm')).to.be.greaterThan(0.9);
    expect(await accuracy('broker')).to.be.lessThan(0.4);
    expect(await accuracy('survey')).to.be.within(0.45, 0.85);
    const after = (await facts()) as { attribute: string; confidence: number; resolvedValue: string }[];
    const plans = after.flatMap((fact, index) =>
      fact.attribute === 'plan' ? [{ ...fact, before: before[index]?.confidence ?? 1 }] : [],
    );
    expect(plans).to.have.length(20);
    for (const plan of plans) {
      expect(plan.resolvedValue).to.equal('gold');
      expect(plan.confidence).to.be.greaterThan(plan.before + 0.2);
    }
  });

  /** Runs work while the service applies items of a customer, which commits after the work. */
  async function whileApplying(customerId: string, work: () => Promise<void>): Promise<void> {
    await fixture.say(customerId, 'personalization', sayingsOf(5));
    const { database } = fixture.services;
    const worked = new AbortController();
    const applied = new AbortController();
    const slow = Object.create(database) as typeof database;
    slow.transaction = (appId, apply, options) =>
      database.transaction(
        appId,
        async (tx) => {
          const outcome = await apply(tx);
          applied.abort();
          if (!worked.signal.aborted) await once(worked.signal, 'abort');
          return outcome;
        },
        options,
      );
    const draining = drainCustomer({ ...fixture.services, database: slow }, fixture.appId, customerId);
    try {
      await once(applied.signal, 'abort');
      await work();
      expect(isApplying()).to.equal(true);
    } finally {
      worked.abort();
      await draining;
    }
    expect(isApplying()).to.equal(false);
  }

  async function learnOnce(): Promise<void> {
    for (const subject of [String(PERSONALIZATION), `${PERSONALIZATION}/run`]) {
      fixture.now = new Date(fixture.now.getTime() + 10_000);
      await learnSources(fixture.services, fixture.appId, subject);
    }
  }

  /** The workflow that resolves the facts again. */
  async function resolvingAgain(): Promise<string> {
    const [task] = await fixture.rows<{ subject: string }>(
      `SELECT subject FROM work_queue WHERE app_id = $1 AND queue = 'learning' AND subject LIKE 'wf_%'`,
    );
    return task?.subject ?? '';
  }

  it('finishes while items are being applied', async () => {
    const [customer] = await fill(0, 4);
    await fixture.work();
    await whileApplying(customer?.id ?? '', learnOnce);
    expect(await accuracy('crm')).to.be.greaterThan(0.5);
  });

  it('rests after each step of resolving facts again while items are being applied', async () => {
    const customers = await fill(0, 15);
    await fixture.work();
    await learnOnce();
    const workflowId = await resolvingAgain();
    const progress = `SELECT subject ->> 'after' AS after FROM workflows WHERE app_id = $1 AND workflow_id = $2`;
    const after = async (): Promise<unknown> => (await fixture.rows(progress, [workflowId]))[0]?.['after'];
    expect(await after()).to.equal('');
    const ids = customers.map(({ id }) => id).toSorted();
    mock.timers.enable({ apis: ['setTimeout'] });
    syncBuiltinESMExports();
    try {
      // The customer whose items are applied is not among those of the first step.
      await whileApplying(ids.at(-1) ?? '', async () => {
        let ended = false;
        const step = learnSources(fixture.services, fixture.appId, workflowId).then(() => (ended = true));
        while ((await after()) === '') expect(ended).to.equal(false);
        expect(await after()).to.equal(ids[9]);
        expect(ended, 'before its rest is over').to.equal(false);
        mock.timers.tick(3_600_000);
        await step;
      });
    } finally {
      mock.timers.reset();
      syncBuiltinESMExports();
    }
    await learnSources(fixture.services, fixture.appId, workflowId);
    await fixture.learn();
    expect(await accuracy('crm')).to.be.greaterThan(0.9);
  });

  it('gives its run back when the process stops, and another goes on', async () => {
    await fill(0, 5);
    await fixture.work();
    fixture.advance(10);
    await learnSources(fixture.services, fixture.appId, String(PERSONALIZATION));
    fixture.advance(10);
    const run = `${PERSONALIZATION}/run`;
    await learnSources(fixture.services, fixture.appId, run, AbortSignal.abort());
    const due = 'SELECT FROM work_queue WHERE app_id = $1 AND subject = $2 AND ready_at <= $3';
    expect(await fixture.rows(due, [run, fixture.now])).to.have.length(1);
    expect(await fixture.snapshot(PERSONALIZATION)).to.equal(undefined);
    await learnSources(fixture.services, fixture.appId, run);
    expect(await fixture.snapshot(PERSONALIZATION)).to.not.equal(undefined);
  });

  it('resolves facts again that were being resolved when it stored what it had learned', async () => {
    await fill(0, 9);
    await fixture.work();
    const { id } = await fixture.addCustomer('personalization');
    const own = 'SELECT document FROM facts WHERE app_id = $1 AND customer_id = $2 ORDER BY attribute';
    const resolveAgain = async (): Promise<void> => {
      const due = `SELECT subject FROM work_queue WHERE app_id = $1 AND subject LIKE 'wf_%' AND ready_at <= $2`;
      for (const { subject } of await fixture.rows<{ subject: string }>(due, [fixture.now]))
        await learnSources(fixture.services, fixture.appId, subject);
    };
    await whileApplying(id, async () => {
      await learnOnce();
      await resolveAgain();
    });
    const before = await fixture.rows(own, [id]);
    expect(before).to.not.have.length(0);
    fixture.advance(2);
    await resolveAgain();
    expect(await fixture.rows(own, [id])).to.not.deep.equal(before);
  });

  it('waits before it learns again for what resolving facts cost, not for its rests', async () => {
    await fill(0, 15);
    await fixture.work();
    await learnOnce();
    const workflowId = await resolvingAgain();
    await learnSources(fixture.services, fixture.appId, workflowId);
    fixture.advance(3600);
    await learnSources(fixture.services, fixture.appId, workflowId);
    expect(await resolvingAgain(), 'the workflow has ended').to.equal('');
    await fill(15, 16);
    await fixture.work();
    fixture.advance(600);
    await learnSources(fixture.services, fixture.appId, String(PERSONALIZATION));
    const runs = `SELECT FROM work_queue WHERE app_id = $1 AND queue = 'learning' AND subject = $2`;
    expect(await fixture.rows(runs, [`${PERSONALIZATION}/run`])).to.have.length(1);
    await fixture.learn();
    expect(await accuracy('crm')).to.be.greaterThan(0.9);
  });

  it('learns after a revocation as if the revoked claims had never existed', async () => {
    await fill(0, 12);
    await fixture.learn();
    const without = { snapshot: await fixture.snapshot(PERSONALIZATION), facts: await facts() };
    expect(without.facts).to.have.length(24);
    const more = await fill(12, 18);
    for (const { id } of more) {
      await fixture.say(id, 'personalization', [{ attribute: 'city', source: 'broker', value: 'city 1' }]);
    }
    await fixture.learn();
    expect(await fixture.snapshot(PERSONALIZATION)).not.to.deep.equal(without.snapshot);
    for (const { receiptId } of more) {
      await fixture.command((tx, context) => revokeConsentReceipt(tx, context, receiptId, {}));
    }
    await fixture.learn();
    expect(await fixture.snapshot(PERSONALIZATION)).to.deep.equal(without.snapshot);
    expect(await facts()).to.deep.equal(without.facts);
  });

  it('learns after an erasure as if the customer had never existed', async () => {
    await fill(0, 8);
    await fixture.learn();
    const without = await fixture.snapshot(PERSONALIZATION);
    const [extra] = await fill(8, 9);
    await fixture.learn();
    expect(await fixture.snapshot(PERSONALIZATION)).not.to.deep.equal(without);
    await fixture.command((tx, context) => deleteCustomer(tx, context, extra?.id ?? ''));
    await fixture.learn();
    expect(await fixture.snapshot(PERSONALIZATION)).to.deep.equal(without);
  });

  it('stores nothing of claims that were withdrawn while it learned, and begins anew', async () => {
    await fill(0, 30);
    await fixture.learn();
    const without = await fixture.snapshot(PERSONALIZATION);
    const [revoked, erased] = await fill(30, 32);
    await fixture.work();
    const { services, appId } = fixture;
    const run = `${PERSONALIZATION}/run`;
    /** Learns with a withdrawal that commits when all has been read. */
    const learnDuring = async (withdraw: () => Promise<unknown>): Promise<void> => {
      const database = Object.create(services.database) as Services['database'];
      database.readAs = async (...read) => {
        const rows = await services.database.readAs(...read);
        await withdraw();
        database.readAs = services.database.readAs.bind(services.database);
        return rows as never;
      };
      fixture.advance(2);
      await learnSources({ ...services, database }, appId, run);
    };
    const allow = (allowedConsentPurposes: Purpose[]): Promise<unknown> =>
      fixture.command((tx, context) =>
        updateApp(tx, { ...context, appId: ADMIN_SCOPE }, appId, { allowedConsentPurposes }),
      );
    fixture.advance(600);
    await learnSources(services, appId, String(PERSONALIZATION));
    await learnDuring(() =>
      fixture.command((tx, context) => revokeConsentReceipt(tx, context, revoked?.receiptId ?? '', {})),
    );
    await learnDuring(() => fixture.command((tx, context) => deleteCustomer(tx, context, erased?.id ?? '')));
    expect(await fixture.snapshot(PERSONALIZATION)).to.deep.equal(without);
    const runs = 'SELECT attempts, restarts FROM work_queue WHERE app_id = $1 AND subject = $2';
    await learnDuring(() => allow(['support']));
    await allow(['support', 'personalization', 'analytics']);
    expect(await fixture.snapshot(PERSONALIZATION)).to.deep.equal(without);
    expect(await fixture.rows(runs, [run])).to.deep.equal([{ attempts: 0, restarts: 3 }]);
    let read = 0;
    for await (const facts of readLiveClaims(services, appId, PERSONALIZATION, 16))
      read += new Set(facts.map(({ key }) => key.split('/')[0])).size;
    expect(read, 'the next run ends sooner').to.be.below(30);
    await fixture.learn();
    expect(await fixture.snapshot(PERSONALIZATION)).to.deep.equal(without);
  });

  it('learns from all customers again after a run that failed', async () => {
    await fill(0, 8);
    await fixture.work();
    fixture.advance(10);
    await learnSources(fixture.services, fixture.appId, String(PERSONALIZATION));
    fixture.advance(2);
    const run = `${PERSONALIZATION}/run`;
    const broken = Object.create(fixture.services.database) as Services['database'];
    broken.readAs = () => Promise.reject(new Error('a fault'));
    const failing: Services = { ...fixture.services, database: broken };
    const error = await learnSources(failing, fixture.appId, run).catch((reason: unknown) => reason);
    expect(error).to.be.an('error').with.property('message', 'a fault');
    // As the worker does with work that failed (QueueWorker).
    await fixture.command((tx) => retryWork(tx, 'learning', run, fixture.now));
    await learnSources(fixture.services, fixture.appId, run);
    expect((await fixture.snapshot(PERSONALIZATION))?.facts).to.equal(16);
  });

  describe('while the transaction of a withdrawal', () => {
    const run = `${PERSONALIZATION}/run`;
    let extra: { id: string; receiptId: string } | undefined;

    beforeEach(async () => {
      await fill(0, 4);
      await fixture.learn();
      [extra] = await fill(4, 5);
      await fixture.work();
      fixture.advance(600);
    });

    const revoke = (tx: Transaction, context: CommandContext): Promise<unknown> =>
      revokeConsentReceipt(tx, context, extra?.receiptId ?? '', {});

    /** Withdraws in a transaction that begins to commit at `commit`. */
    function withdrawing(withdraw: typeof revoke): {
      atCommit: Promise<void>;
      commit: () => Promise<unknown>;
    } {
      let reach = (): void => undefined;
      let release = (): void => undefined;
      let fail = (_error: unknown): void => undefined;
      const atCommit = new Promise<void>((resolve, reject) => {
        reach = resolve;
        fail = reject;
      });
      const released = new Promise<void>((resolve) => (release = resolve));
      const withdrawn = fixture.command(async (tx, context) => {
        await withdraw(tx, context);
        tx.beforeCommit(() => {
          reach();
          return released;
        });
      });
      withdrawn.catch(fail);
      const commit = (): Promise<unknown> => {
        release();
        return withdrawn;
      };
      return { atCommit, commit };
    }

    const LOCK_WAITED = { name: 'test_lock_waited', text: LOCK_WAITERS };

    /** @returns whether so many sessions wait for a lock; false when the work ended before */
    async function lockWaits(count: number, work?: Promise<unknown>): Promise<boolean> {
      const over = new AbortController();
      work?.catch(() => undefined).finally(() => over.abort());
      while (!over.signal.aborted)
        if ((await fixture.services.database.read(LOCK_WAITED, [])).length >= count) return true;
      return false;
    }

    /** Learns, if there is a run, and lets the withdrawal commit when the claims have been read. */
    async function learnUntil(commit: () => Promise<unknown>): Promise<void> {
      const { services, appId } = fixture;
      const database = Object.create(services.database) as Services['database'];
      database.readAs = async (...read) => {
        const rows = await services.database.readAs(...read);
        await commit();
        return rows as never;
      };
      fixture.advance(2);
      const learned = learnSources({ ...services, database }, appId, run);
      // The withdrawal may have locked the run already.
      await lockWaits(1, learned);
      await commit();
      await learned;
    }

    /** The number of facts that were learned from. */
    const learnedFrom = async (): Promise<unknown> => (await fixture.snapshot(PERSONALIZATION))?.facts;

    for (const [what, left, withdraw] of [
      ['of consent', 8, revoke],
      [
        'of consent by erasing the customer',
        8,
        (tx, context) => deleteCustomer(tx, context, extra?.id ?? ''),
      ],
      [
        'of a purpose of the app',
        0,
        (tx, context) =>
          updateApp(tx, { ...context, appId: ADMIN_SCOPE }, fixture.appId, { allowedConsentPurposes: [] }),
      ],
    ] as [string, number, typeof revoke][])
      it(`${what} commits, begins no run that reads what is withdrawn`, async () => {
        expect(await learnedFrom()).to.equal(8);
        const { atCommit, commit } = withdrawing(withdraw);
        await atCommit;
        const requested = learnSources(fixture.services, fixture.appId, String(PERSONALIZATION));
        await lockWaits(1, requested);
        await learnUntil(commit);
        await requested;
        fixture.advance(2);
        await learnSources(fixture.services, fixture.appId, run);
        expect(await learnedFrom()).to.equal(left);
      });

    it('waits behind the beginning of a run, ends that run', async () => {
      const { appId, services } = fixture;
      const head = 'SELECT FROM consent_ledger_heads WHERE app_id = $1 FOR UPDATE';
      const { commit, atCommit, requested } = await services.database.transaction(appId, async (tx) => {
        await tx.query(head, [appId]);
        const beginning = learnSources(services, appId, String(PERSONALIZATION));
        const waits = await lockWaits(1, beginning);
        const withdrawal = withdrawing(revoke);
        await lockWaits(waits ? 2 : 1);
        return { ...withdrawal, requested: { beginning } };
      });
      await requested.beginning;
      await atCommit;
      await learnUntil(commit);
      expect(await learnedFrom()).to.equal(8);
    });
  });

  it('does not read revoked claims even before the cascade has run', async () => {
    await fill(0, 8);
    await fixture.learn();
    const without = await fixture.snapshot(PERSONALIZATION);
    const [extra] = await fill(8, 9);
    await fixture.work();
    await fixture.command((tx, context) => revokeConsentReceipt(tx, context, extra?.receiptId ?? '', {}));
    fixture.advance(30);
    await learnSources(fixture.services, fixture.appId, String(PERSONALIZATION));
    fixture.advance(2);
    await learnSources(fixture.services, fixture.appId, `${PERSONALIZATION}/run`);
    expect(
      await fixture.rows('SELECT 1 FROM claims WHERE app_id = $1 AND customer_id = $2', [extra?.id]),
    ).not.to.have.length(0);
    expect(await fixture.snapshot(PERSONALIZATION)).to.deep.equal(without);
  });

  it('announces only profiles whose values changed with the accuracies', async () => {
    await fill(0, 12);
    const [torn, settled] = await fill(12, 14);
    for (const customer of [torn, settled]) {
      await fixture.say(customer?.id ?? '', 'personalization', [
        { attribute: 'size', source: 'crm', value: 'M' },
      ]);
    }
    const louder = { attribute: 'size', source: 'broker', value: 'XL', confidence: 1 };
    await fixture.say(torn?.id ?? '', 'personalization', [louder]);
    await fixture.work();
    await fixture.command((tx, context) =>
      registerWebhookEndpoint(
        tx,
        context,
        { url: 'https://partner.example/hook', enabledEvents: ['profile.updated'] },
        { secrets: fixture.services.secrets, policy: { allowLoopback: false, allowHttp: false } },
      ),
    );
    await fixture.learn();
    const told = await fixture.rows<{ customer_id: string }>(
      `SELECT customer_id FROM outbox WHERE app_id = $1 AND type = 'profile.updated'`,
    );
    expect(told.map(({ customer_id }) => customer_id)).to.deep.equal([torn?.id]);
  });

  it('learns each purpose separately', async () => {
    const customers = await fill(0, 8);
    await fixture.learn();
    expect(await fixture.snapshot(ANALYTICS)).to.equal(undefined);
    const [first] = customers;
    await fixture.say(first?.id ?? '', 'analytics', sayingsOf(0));
    await fixture.learn();
    expect((await fixture.snapshot(ANALYTICS))?.facts).to.equal(2);
    expect((await fixture.snapshot(PERSONALIZATION))?.facts).to.equal(16);
  });

  it('explains each fact with shares that add up to its confidence and names the snapshot', async () => {
    await fill(0, 6);
    await fixture.learn();
    const rows = await fixture.rows<{ document: string; explanation: string }>(
      'SELECT document, explanation FROM facts WHERE app_id = $1',
    );
    for (const row of rows) {
      const { confidence } = JSON.parse(row.document) as { confidence: number };
      const told = JSON.parse(row.explanation) as FactExplanation;
      const shares = told.shares.reduce((sum, share) => sum + share.logOdds, 0);
      const total = told.prior + told.change + told.calibration + told.normalisation + told.omitted + shares;
      expect(total).to.be.closeTo(Math.log(confidence / (1 - confidence)), 1e-9);
      expect(told.accuracyVersion).to.equal(1);
    }
  });

  it('learns once from a burst of claims and again after a day', async () => {
    await fill(0, 5);
    await fixture.learn();
    const version = async (): Promise<number> => {
      const [row] = await fixture.rows<{ version: number }>(
        'SELECT version FROM source_accuracies WHERE app_id = $1',
      );
      return row?.version ?? 0;
    };
    expect(await version()).to.equal(1);
    fixture.advance(86_400);
    await fixture.learn();
    expect(await version()).to.equal(2);
    const stuck = await fixture.rows('SELECT subject FROM work_queue WHERE app_id = $1 AND attempts > 0');
    expect(stuck, 'waiting for the next day is no failure').to.deep.equal([]);
  });

  it('recomputes nothing when the accuracies do not change', async () => {
    const [first] = await fill(0, 5);
    await fixture.learn();
    await fixture.say(first?.id ?? '', 'personalization', [
      { attribute: 'pet', source: 'crm', value: 'cat' },
    ]);
    await fixture.learn();
    const recomputed = await fixture.rows(
      `SELECT 1 FROM workflows WHERE app_id = $1 AND type = 'profile_recompute' AND subject ? 'purpose'`,
    );
    expect(recomputed).to.have.length(1);
  });

  it('stores nothing for a worker that lost its run to another', async () => {
    await fill(0, 5);
    await fixture.work();
    fixture.advance(5);
    await learnSources(fixture.services, fixture.appId, String(PERSONALIZATION));
    fixture.advance(2);
    const slow = { ...fixture.services, clock: () => new Date('2026-01-01T00:00:07.000Z') };
    const first = learnSources(slow, fixture.appId, `${PERSONALIZATION}/run`);
    await fixture.rows(
      `UPDATE work_queue SET ready_at = ready_at + interval '1 hour' WHERE app_id = $1
        AND subject LIKE '%/run'`,
    );
    await first;
    const snapshots = await fixture.rows('SELECT 1 FROM source_accuracies WHERE app_id = $1');
    const runs = await fixture.rows(`SELECT 1 FROM work_queue WHERE app_id = $1 AND subject LIKE '%/run'`);
    expect(snapshots.length + runs.length).to.equal(1);
  });
});
