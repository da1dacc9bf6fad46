import { expect } from 'chai';
import type { Intent } from '../../schema/types/Intent.js';
import { GateClosed } from '../../src/access/consentGate.js';
import type { GateOpen } from '../../src/access/consentGate.js';
import { listIntents } from '../../src/loaders/listIntents.js';
import type { IntentFilter } from '../../src/loaders/listIntents.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const AT = '2026-03-01T00:00:00.000Z';
const SUPPORT = 3;
const ANALYTICS = 2;
const EVIDENCE = [{ id: 'clm_1', consentPurpose: 'support' }];

/** Also of a former epoch, of a purpose that is closed and of another customer. */
const INTENTS: readonly [id: string, customer: string, purpose: number, epoch: number, category: string][] = [
  ['int_1', 'cus_1', SUPPORT, 2, 'habit'],
  ['int_2', 'cus_1', SUPPORT, 1, 'habit'],
  ['int_3', 'cus_1', ANALYTICS, 2, 'outcome'],
  ['int_4', 'cus_1', 0, 2, 'habit'],
  ['int_5', 'cus_1', SUPPORT, 2, 'outcome'],
  ['int_6', 'cus_2', SUPPORT, 2, 'outcome'],
];

describe('The list of intents', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    for (const customer_id of ['cus_1', 'cus_2', 'cus_3'])
      await fixture.insert('customer_heads', [
        { customer_id, granted_mask: 12, epochs: [2, 2, 2, 2, 1, 1, 1], changed_at: AT },
      ]);
    const rows = INTENTS.map(([intent_id, customer_id, purpose, epoch, category]) => ({
      intent_id,
      customer_id,
      purpose,
      epoch,
      category,
      object: `of ${intent_id}`,
      confidence: 0.5,
      evidence: EVIDENCE,
      updated_at: AT,
    }));
    await fixture.insert('intents', rows);
    await fixture.insert('intents', [{ ...rows[0], app_id: OTHER_APP, intent_id: 'int_1x' }]);
  });
  after(() => fixture?.stop());

  const ALL: IntentFilter = { purpose: undefined, category: undefined };
  const list = (customer: string, filter: Partial<IntentFilter> = {}) => ({
    list: async (request: object) => {
      const page = await listIntents(fixture.context(), customer, { ...ALL, ...filter }, request);
      return (page as GateOpen<never>).value;
    },
    idOf: ({ id }: Intent) => id,
    scope: {
      appId: APP,
      list: 'intents',
      filter: `${customer}/${filter.purpose ?? ''}/${filter.category ?? ''}`,
    },
  });

  it('contains intents of open purposes in their current epoch, newest first', async () => {
    await expectList(fixture, { ...list('cus_1'), ids: ['int_5', 'int_3', 'int_1'] });
    await expectList(fixture, { ...list('cus_2'), ids: ['int_6'] });
    await expectList(fixture, { ...list('cus_3'), ids: [] });
  });

  it('is filtered by purpose, by category and by both', async () => {
    await expectList(fixture, { ...list('cus_1', { purpose: 'support' }), ids: ['int_5', 'int_1'] });
    await expectList(fixture, { ...list('cus_1', { category: 'outcome' }), ids: ['int_5', 'int_3'] });
    const both = { purpose: 'support', category: 'outcome' } as const;
    await expectList(fixture, { ...list('cus_1', both), ids: ['int_5'] });
  });

  it('contains each intent with all fields and the mask of its purposes', async () => {
    const first = async (at: string): Promise<Intent[]> => {
      const context = fixture.context();
      const services = { ...context.services, clock: () => new Date(at) };
      const page = await listIntents({ ...context, services }, 'cus_1', ALL, { first: 1 });
      return (page as GateOpen<{ edges: { node: Intent }[] }>).value.edges.map(({ node }) => node);
    };
    expect(await first(AT)).to.deep.equal([
      {
        id: 'int_5',
        category: 'outcome',
        object: 'of int_5',
        confidence: 0.5,
        consentPurpose: 'support',
        evidence: EVIDENCE,
      },
    ]);
    const [old] = await first('2036-03-01T00:00:00.000Z');
    expect(old?.confidence, 'ten years later').to.be.below(0.15);
    expect(await listIntents(fixture.context(), 'cus_1', ALL, {})).to.include({ openMask: 12 });
  });

  it('is closed when its purpose is not granted and undefined for an unknown customer', async () => {
    const purpose = 'measurement';
    const shut = await listIntents(fixture.context(), 'cus_1', { ...ALL, purpose }, {});
    expect(shut).to.deep.equal(new GateClosed(purpose, 'receipt'));
    expect(await listIntents(fixture.context(), 'none', ALL, {})).to.equal(undefined);
  });
});
