import { expect } from 'chai';
import { createContext } from '../../src/access/createContext.js';
import { GateClosed, GateOpen } from '../../src/access/consentGate.js';
import type { Gated } from '../../src/access/consentGate.js';
import { takeSlice } from '../../src/concurrency/takeSlice.js';
import type { Query } from '../../src/database/Database.js';
import type { ReplicaOutcome } from '../../src/database/Replicas.js';
import { AS_OBJECTS } from '../../src/documents/DocumentForms.js';
import { factText } from '../../src/documents/documentText.js';
import { StoredText } from '../../src/documents/StoredText.js';
import { purposeAt } from '../../src/domain/purposes.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { ServiceError } from '../../src/errors.js';
import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import { loadCustomer, loadCustomerOf } from '../../src/loaders/loadCustomers.js';
import { loadEffectiveConsent } from '../../src/loaders/loadEffectiveConsents.js';
import { loadExplanation } from '../../src/loaders/loadExplanations.js';
import { loadGatesOf } from '../../src/loaders/loadGates.js';
import { factsOf, loadProfile } from '../../src/loaders/loadProfiles.js';
import type { ReadContext } from '../../src/loaders/ReadScope.js';
import { loadManyProfiles, loadProfileOf } from '../../src/loaders/loadManyProfiles.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const minute = (at: number): string => `2026-03-01T00:0${at}:00.000Z`;
const AT = minute(0);
const ANALYTICS = 2;
const SUPPORT = 3;

/** The customer, attribute, purpose and epoch of each fact. The gate hides some of them. */
const FACTS: readonly [customer: string, attribute: string, purpose: number, epoch: number][] = [
  ['cus_1', 'b', SUPPORT, 2],
  ['cus_1', 'a', SUPPORT, 2],
  ['cus_1', 'a', ANALYTICS, 2],
  ['cus_1', 'c', SUPPORT, 1],
  ['cus_1', 'd', 0, 2],
  ['cus_2', 'a', SUPPORT, 2],
];
const EXPLANATION = { claims: [], calibration: 0.5 };

function fact(attribute: string, purpose: number): Record<string, unknown> {
  const consentPurpose = purposeAt(purpose);
  const claims = { evidence: [], alternatives: [] };
  return {
    attribute,
    resolvedValue: 1,
    confidence: 0.5,
    resolutionMethod: 'vote',
    consentPurpose,
    ...claims,
  };
}

describe('The reads of customers and their profiles', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    fixture.now = minute(9);
    for (const [customer_id, app_id] of [
      ['cus_1', APP],
      ['cus_2', APP],
      ['cus_3', APP],
      ['cus_9', OTHER_APP],
    ]) {
      const heads = { granted_mask: 12, epochs: [2, 2, 2, 2, 1, 1, 1], changed_at: AT };
      await fixture.insert('customer_heads', [{ ...heads, app_id, customer_id, applied_sequence: 5 }]);
      await fixture.insert('customers', [
        {
          app_id,
          customer_id,
          external_id: `x-${customer_id}`,
          status: 'active',
          created_at: AT,
          updated_at: AT,
        },
      ]);
    }
    for (const [place, [customer_id, attribute, purpose, epoch]] of FACTS.entries())
      await fixture.insert('facts', [
        {
          customer_id,
          attribute,
          purpose,
          epoch,
          document: factText('graphql', fact(attribute, purpose)),
          rest_document: factText('rest', fact(attribute, purpose)),
          explanation: attribute === 'a' ? JSON.stringify(EXPLANATION) : null,
          resolved_at: minute(place + 1),
          text_version: 1,
        },
      ]);
    for (const [purpose, revoked_at] of [
      [SUPPORT, null],
      [0, minute(1)],
    ] as const) {
      const status = revoked_at === null ? 'granted' : 'revoked';
      await fixture.insert('customer_consents', [
        { customer_id: 'cus_1', purpose, status, granted_at: AT, revoked_at },
      ]);
    }
    await fixture.sql(`UPDATE customer_heads SET latest_receipt_id = 'rcp_1' WHERE customer_id = 'cus_1'`);
  });
  after(() => fixture?.stop());

  /** As they are in an answer: free-form values of stored documents are text until then. */
  const printed = (facts: unknown): unknown => JSON.parse(JSON.stringify(facts));

  type Read = Gated<ResolvedProfile> | undefined;
  const valueOf = (profile: Read | Error): ResolvedProfile => (profile as GateOpen<ResolvedProfile>).value;
  const ALL_OF_ONE = [fact('a', ANALYTICS), fact('a', SUPPORT), fact('b', SUPPORT)];

  const profileOf = async (id: string, purpose?: Purpose): Promise<unknown> => {
    const profile = await loadProfile(fixture.context(), id, purpose);
    if (!(profile instanceof GateOpen)) return profile;
    const facts = printed(await factsOf(fixture.context(), profile.value));
    return { ...profile.value, facts, openMask: profile.openMask };
  };

  async function expectProfiles(): Promise<void> {
    expect(await profileOf('cus_1')).to.deep.equal({
      customerId: 'cus_1',
      facts: ALL_OF_ONE,
      resolvedAt: minute(3),
      openMask: 12,
    });
    expect(await profileOf('cus_1', 'support')).to.deep.include({
      facts: ALL_OF_ONE.slice(1),
      resolvedAt: minute(2),
      openMask: 8,
    });
    expect(await profileOf('cus_3'), 'without facts').to.deep.equal({
      customerId: 'cus_3',
      facts: [],
      resolvedAt: AT,
      openMask: 12,
    });
    expect(await profileOf('cus_1', 'measurement')).to.deep.equal(new GateClosed('measurement', 'receipt'));
    expect(await profileOf('none')).to.equal(undefined);
    expect(await profileOf('cus_9'), "another app's").to.equal(undefined);
  }

  it('return facts of open purposes in their current epoch, by attribute and purpose', expectProfiles);

  it('return a closed gate when the app may not use the purpose', async () => {
    await fixture.sql(`UPDATE apps SET allowed_mask = 119`);
    expect(await profileOf('cus_1', 'support')).to.deep.equal(new GateClosed('support', 'purpose'));
    await fixture.sql(`UPDATE apps SET allowed_mask = 127`);
  });

  it('return facts as text for REST or GraphQL, with their number', async () => {
    for (const door of ['graphql', 'rest'] as const) {
      const context = fixture.context(APP, { facts: { storedFor: door }, claims: 'objects' });
      const { facts } = valueOf(await loadProfile(context, 'cus_1', 'support'));
      const text = ALL_OF_ONE.slice(1).map((one) => factText(door, one));
      expect(facts, door).to.deep.equal(new StoredText(`[${text.join(',')}]`, 2));
      expect(await factsOf(context, valueOf(await loadProfile(context, 'cus_1', 'support')))).to.deep.equal(
        facts,
      );
    }
  });

  it('convert text of another version for REST and GraphQL', async () => {
    await fixture.sql(`UPDATE facts SET text_version = 7, rest_document = '' WHERE customer_id = 'cus_2'`);
    for (const door of ['graphql', 'rest'] as const) {
      const context = fixture.context(APP, { facts: { storedFor: door }, claims: 'objects' });
      const { facts } = valueOf(await loadProfile(context, 'cus_2', undefined));
      expect(facts, door).to.deep.equal(new StoredText(`[${factText(door, fact('a', SUPPORT))}]`, 1));
    }
    expect(await profileOf('cus_2')).to.deep.include({ facts: [fact('a', SUPPORT)] });
    const restored = factText('rest', fact('a', SUPPORT));
    await fixture.sql(
      `UPDATE facts SET text_version = 1, rest_document = '${restored}' WHERE customer_id = 'cus_2'`,
    );
  });

  it('parse facts at once while there is room in the slice, otherwise later', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const context = fixture.context(APP, AS_OBJECTS);
    const text = `[${factText('graphql', fact('a', SUPPORT))}]`;
    const profile = { customerId: 'cus_1', resolvedAt: AT, facts: new StoredText(text, 150) } as never;
    await new Promise((resolve) => setImmediate(resolve));
    expect(printed(factsOf(context, profile))).to.deep.equal([fact('a', SUPPORT)]);
    const later = factsOf(context, profile);
    expect(later).to.be.instanceOf(Promise);
    expect(printed(await later)).to.deep.equal([fact('a', SUPPORT)]);
    expect(takeSlice(1)).to.be.oneOf([undefined, takeSlice(0)]);
    const parsed = { customerId: 'cus_1', resolvedAt: AT, facts: [fact('a', SUPPORT)] } as never;
    expect(factsOf(context, parsed)).to.deep.equal([fact('a', SUPPORT)]);
  });

  it('return many profiles in the requested order, with undefined for unknown customers', async () => {
    const ids = ['cus_2', 'none', 'cus_1'];
    const [second, none, first] = await loadManyProfiles(fixture.context(), ids, 'support');
    expect([second, first].map((profile) => valueOf(profile as Read).customerId)).to.deep.equal([
      'cus_2',
      'cus_1',
    ]);
    expect((first as GateOpen<unknown>).openMask).to.equal(8);
    expect(none).to.equal(undefined);
  });

  it('read at most 100 profiles at once', async () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, place) => `none-${place}`);
    expect(await loadManyProfiles(fixture.context(), ids(100), undefined)).to.have.length(100);
    const error: unknown = await loadManyProfiles(fixture.context(), ids(101), undefined).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(ServiceError);
    expect(error).to.include({
      code: 'invalid_request',
      message: 'At most 100 customers can be read at once.',
    });
  });

  it('read the fields of one list by one statement of each purpose, bad rows apart', async () => {
    const { database } = fixture.services;
    const reads = database.readAs.bind(database);
    const sent: unknown[] = [];
    database.readAs = (appId, query, values) => {
      sent.push(values[1]);
      const isBad = String(values[1]).includes('cus_2');
      return isBad ? Promise.reject(new Error('bad row')) : reads(appId, query, values);
    };
    const context = fixture.context();
    const told = (error: Error): string => error.message;
    const idOf = (profile: Read | string): unknown =>
      typeof profile === 'string' ? profile : profile && valueOf(profile).customerId;
    try {
      const fields = ['cus_1', 'none', 'cus_3'].map((id) => loadProfileOf(context, id, 'support'));
      const others = ['cus_1', 'cus_2'].map((id) => loadProfileOf(context, id, undefined).catch(told));
      const customers = ['cus_3', 'cus_1'].map((id) => loadCustomerOf(context, id));
      expect((await Promise.all(fields)).map(idOf)).to.deep.equal(['cus_1', undefined, 'cus_3']);
      expect((await Promise.all(others)).map(idOf)).to.deep.equal(['cus_1', 'bad row']);
      expect((await Promise.all(customers)).map((one) => one?.id)).to.deep.equal(['cus_3', 'cus_1']);
      expect(sent).to.have.deep.members([
        ['cus_1', 'none', 'cus_3'],
        ['cus_3', 'cus_1'],
        ['cus_1', 'cus_2'],
        ['cus_1'],
        ['cus_2'],
      ]);
      const list = await loadManyProfiles(context, ['cus_2', 'cus_1'], undefined);
      expect(list.map((one) => (one instanceof Error ? one.message : idOf(one)))).to.deep.equal([
        'bad row',
        'cus_1',
      ]);
    } finally {
      database.readAs = reads;
    }
  });

  it('use a connection of their own for more than 16 profiles', async () => {
    const alone = async (count: number): Promise<unknown> => {
      let sent: Query | undefined;
      const { database } = fixture.services;
      const reads = database.readAs.bind(database);
      database.readAs = (appId, query, values) => {
        sent = query;
        return reads(appId, query, values);
      };
      const ids = Array.from({ length: count }, (_, place) => `none-${place}`);
      try {
        await loadManyProfiles(fixture.context(), ids, undefined);
      } finally {
        database.readAs = reads;
      }
      return sent?.alone;
    };
    expect(await alone(16)).to.equal(false);
    expect(await alone(17)).to.equal(true);
  });

  describe('with a replica', () => {
    let outcomes: [ReplicaOutcome, number][];
    let answer: (rows: Record<string, unknown>[]) => Record<string, unknown>[] | undefined;

    /** A replica with the rows of the primary. A test may change its answer. */
    beforeEach(() => {
      outcomes = [];
      answer = (rows) => rows;
      fixture.services.replicas = {
        readAs: async (appId: string, query: Query, values: unknown[]) =>
          answer(await fixture.services.database.readAs(appId, query, values)),
        count: (outcome: ReplicaOutcome, profiles: number) => outcomes.push([outcome, profiles]),
      } as never;
    });
    afterEach(() => {
      delete fixture.services.replicas;
    });

    it('return the same as without a replica', async () => {
      await expectProfiles();
      const [two] = await loadManyProfiles(fixture.context(), ['cus_2', 'cus_1'], undefined);
      expect(valueOf(two as Read)).to.deep.include({ customerId: 'cus_2', resolvedAt: minute(6) });
      expect(new Set(outcomes.map(([outcome]) => outcome))).to.deep.equal(new Set(['answered']));
      expect(outcomes.at(-1)).to.deep.equal(['answered', 2]);
    });

    it('return the text for REST', async () => {
      const context = fixture.context(APP, { facts: { storedFor: 'rest' }, claims: 'objects' });
      const { facts } = valueOf(await loadProfile(context, 'cus_1', 'analytics'));
      expect(facts).to.deep.equal(new StoredText(`[${factText('rest', fact('a', ANALYTICS))}]`, 1));
    });

    it('do not read the replica for an unknown customer', async () => {
      answer = () => expect.fail('The replica was asked.');
      expect(await profileOf('none')).to.equal(undefined);
      expect(outcomes).to.deep.equal([]);
    });

    it('read the primary when the replica is behind for one profile or all', async () => {
      for (const behind of ['false', null]) {
        answer = (rows) =>
          rows.map((row) => ({
            ...row,
            documents: null,
            is_current: row['customer_id'] === 'cus_1' ? behind : 'true',
          }));
        const many = await loadManyProfiles(fixture.context(), ['cus_1', 'cus_2'], undefined);
        for (const profile of many)
          expect((valueOf(profile as Read).facts as StoredText).text).to.not.equal('[]');
        expect(outcomes.at(-1)).to.deep.equal(['behind', 2]);
      }
    });

    it('read the primary when the replica does not answer', async () => {
      answer = () => undefined;
      await expectProfiles();
      expect(new Set(outcomes.map(([outcome]) => outcome))).to.deep.equal(new Set(['unanswered']));
    });

    it('return no facts for a customer that the replica does not return', async () => {
      answer = () => [];
      expect(await profileOf('cus_1')).to.deep.equal({
        customerId: 'cus_1',
        facts: [],
        resolvedAt: AT,
        openMask: 12,
      });
    });
  });

  /** Loads several keys at once. */
  function all<Key, Value>(
    keys: readonly Key[],
    load: (context: ReadContext, key: Key) => Promise<Value>,
  ): Promise<Value[]> {
    const context = fixture.context();
    return Promise.all(keys.map((key) => load(context, key)));
  }

  it('return customers by id', async () => {
    expect(await loadCustomer(fixture.context(), 'cus_1')).to.include({ id: 'cus_1', externalId: 'x-cus_1' });
    for (const id of ['none', 'cus_9']) expect(await loadCustomer(fixture.context(), id)).to.equal(undefined);
  });

  it('return the latest decision on every decided purpose', async () => {
    const ids = ['cus_3', 'none', 'cus_1'];
    const [third, none, first] = await all(ids, loadEffectiveConsent);
    const evaluatedAt = minute(9);
    expect(third).to.deep.equal({ customerId: 'cus_3', purposes: [], evaluatedAt, latestReceiptId: null });
    expect(none).to.equal(undefined);
    expect(first).to.deep.equal({
      customerId: 'cus_1',
      purposes: [
        { purpose: 'account_linking', status: 'revoked', grantedAt: AT, revokedAt: minute(1) },
        { purpose: 'support', status: 'granted', grantedAt: AT, revokedAt: null },
      ],
      evaluatedAt,
      latestReceiptId: 'rcp_1',
    });
  });

  it('explain facts in the requested order, each behind the gate of its purpose', async () => {
    const name = (customerId: string, attribute: string, purpose: Purpose) => ({
      customerId,
      attribute,
      purpose,
    });
    const names = [
      name('cus_1', 'b', 'support'),
      name('none', 'a', 'support'),
      name('cus_1', 'a', 'analytics'),
      name('cus_1', 'a', 'measurement'),
      name('cus_1', 'c', 'support'),
    ];
    const explained = await all(names, loadExplanation);
    expect(explained).to.deep.equal([
      new GateOpen(null, 8),
      undefined,
      new GateOpen({ age: null, model: null, ...EXPLANATION }, 4),
      new GateClosed('measurement', 'receipt'),
      new GateOpen(null, 8),
    ]);
  });

  it('return the gate of each purpose and undefined for an unknown customer', async () => {
    const [none, first, third] = await all(['none', 'cus_1', 'cus_3'], loadGatesOf);
    expect(none).to.equal(undefined);
    const gates = (found: unknown, purpose: Purpose): unknown =>
      (found as { purpose: Purpose }[]).find((gate) => gate.purpose === purpose);
    const open = { purpose: 'support', isOpen: true };
    expect(gates(first, 'support')).to.deep.equal({ ...open, decidedBy: null });
    expect(gates(third, 'support'), 'empty since it was granted anew').to.deep.equal({
      ...open,
      decidedBy: 'epoch',
    });
    expect(gates(first, 'account_linking')).to.include({ isOpen: false, decidedBy: 'receipt' });
  });

  it('cache no gate and no explanation within a request', async () => {
    const context = fixture.context();
    const name = { customerId: 'cus_2', attribute: 'a', purpose: 'support' } as const;
    const read = async (): Promise<unknown> => [
      await loadGatesOf(context, 'cus_2'),
      await loadExplanation(context, name),
    ];
    const before = await read();
    await fixture.sql(`UPDATE customer_heads SET granted_mask = 0 WHERE customer_id = 'cus_2'`);
    const after = await read();
    expect(after).to.not.deep.equal(before);
    expect((after as unknown[])[1]).to.be.instanceOf(GateClosed);
    expect(((after as unknown[])[0] as { isOpen: boolean }[]).some(({ isOpen }) => isOpen)).to.equal(false);
    await fixture.sql(`UPDATE customer_heads SET granted_mask = 12 WHERE customer_id = 'cus_2'`);
  });

  it('return nothing to anonymous callers and the operator', async () => {
    for (const caller of [
      { kind: 'anonymous', reason: '' },
      { kind: 'admin', key: '' },
    ] as const) {
      const context = createContext(fixture.services, caller, 'req_test');
      expect(context.appId).to.equal('');
      expect(await loadCustomer(context, 'cus_1')).to.equal(undefined);
    }
  });
});
