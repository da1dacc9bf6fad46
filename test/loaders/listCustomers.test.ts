import { expect } from 'chai';
import type { CustomerOrder } from '../../src/domain/listOrder.js';
import { ServiceError } from '../../src/errors.js';
import { listCustomers } from '../../src/loaders/listCustomers.js';
import type { CustomerFilter } from '../../src/loaders/listCustomers.js';
import { timePosition } from '../../src/loaders/timePosition.js';
import { scopeOf } from '../../src/loaders/page.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const hour = (at: number): string => `2026-03-01T0${at}:00:00.000Z`;

/** Their times are not in the order of their ids, nor are their external ids. */
const CREATED: Readonly<Record<string, string>> = {
  cus_1: hour(3),
  cus_2: hour(1),
  cus_3: hour(2),
  cus_4: hour(2),
  cus_5: hour(4),
};
const EXTERNAL: Readonly<Record<string, string>> = {
  cus_1: 'b',
  cus_2: 'A',
  cus_3: 'a',
  cus_4: 'ab',
  cus_5: '\u{10ffff}x',
};
const SUPPORT = 3;

describe('The list of customers', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    const customers = Object.entries(CREATED).map(([customer_id, created_at]) => ({
      customer_id,
      external_id: EXTERNAL[customer_id],
      status: 'active',
      created_at,
      updated_at: created_at,
    }));
    await fixture.insert('customers', customers);
    await fixture.insert('customers', [{ ...customers[0], customer_id: 'cus_3x', app_id: OTHER_APP }]);
    // Of cus_4 the gate is closed, though a decision stands.
    for (const [customer_id, granted_mask, status] of [
      ['cus_1', 8, 'granted'],
      ['cus_2', 8, 'revoked'],
      ['cus_3', 8, 'granted'],
      ['cus_4', 7, 'granted'],
    ] as const) {
      const granted_at = hour(1);
      await fixture.insert('customer_heads', [
        { customer_id, granted_mask, epochs: [1, 1, 1, 1, 1, 1, 1], changed_at: granted_at },
      ]);
      await fixture.insert('customer_consents', [{ customer_id, purpose: SUPPORT, status, granted_at }]);
    }
  });
  after(() => fixture?.stop());

  const list = (filter: CustomerFilter, order?: CustomerOrder) => ({
    list: (request: object) => listCustomers(fixture.context(), filter, { ...request, order }),
    idOf: ({ id }: { id: string }) => id,
    statement: 'customers_',
    scope: scopeOf(APP, 'customers', filter, order),
  });
  const timed = (...ids: string[]) => ({
    ids,
    positions: ids.map((id) => timePosition(CREATED[id] ?? '', id)),
  });
  const named = (...ids: string[]) => ({ ids, positions: ids.map((id) => EXTERNAL[id] ?? '') });

  it('is ordered by id in either direction', async () => {
    const all = Object.keys(CREATED);
    await expectList(fixture, { ...list({}), ids: all.toReversed() });
    await expectList(fixture, { ...list({}, 'oldest_first'), ids: all });
    const [first] = (await list({}).list({ first: 1 })).nodes as object[];
    expect(first).to.include({ id: 'cus_5', externalId: '\u{10ffff}x', createdAt: hour(4) });
  });

  it('is filtered by external id and its prefix', async () => {
    await expectList(fixture, { ...list({ externalId: 'a' }), ids: ['cus_3'] });
    await expectList(fixture, { ...list({ externalId: 'none' }), ids: [] });
    await expectList(fixture, { ...list({ externalIdPrefix: 'a' }), ids: ['cus_4', 'cus_3'] });
    await expectList(fixture, { ...list({ externalIdPrefix: '\u{10ffff}' }), ids: ['cus_5'] });
  });

  it('is ordered by time when filtered by exclusive bounds of time', async () => {
    const after = { createdAfter: hour(1) };
    await expectList(fixture, { ...list(after), ...timed('cus_5', 'cus_1', 'cus_4', 'cus_3') });
    await expectList(fixture, {
      ...list(after, 'oldest_first'),
      ...timed('cus_3', 'cus_4', 'cus_1', 'cus_5'),
    });
    await expectList(fixture, { ...list({ createdBefore: hour(3) }), ...timed('cus_4', 'cus_3', 'cus_2') });
  });

  it('is ordered by id when filtered by time and external id', async () => {
    await expectList(fixture, { ...list({ externalId: 'a', createdAfter: hour(1) }), ids: ['cus_3'] });
    await expectList(fixture, { ...list({ externalId: 'a', createdAfter: hour(2) }), ids: [] });
    await expectList(fixture, {
      ...list({ externalIdPrefix: 'a', createdBefore: hour(3) }),
      ids: ['cus_4', 'cus_3'],
    });
  });

  it('is filtered by a granted purpose whose gate is open', async () => {
    const consentPurpose = 'support';
    await expectList(fixture, { ...list({ consentPurpose }), ids: ['cus_3', 'cus_1'] });
    await expectList(fixture, { ...list({ consentPurpose }, 'oldest_first'), ids: ['cus_1', 'cus_3'] });
    await expectList(fixture, { ...list({ consentPurpose: 'analytics' }), ids: [] });
    await expectList(fixture, { ...list({ externalId: 'b', consentPurpose }), ids: ['cus_1'] });
    await expectList(fixture, { ...list({ externalId: 'A', consentPurpose }), ids: [] });
    await expectList(fixture, { ...list({ externalIdPrefix: 'a', consentPurpose }), ids: ['cus_3'] });
    const first = { createdAfter: hour(1), consentPurpose } as const;
    await expectList(fixture, { ...list(first), ...timed('cus_1', 'cus_3') });
    const last = { createdBefore: hour(3), consentPurpose } as const;
    await expectList(fixture, { ...list(last), ...timed('cus_3') });
  });

  it('can be ordered by the bytes of external ids', async () => {
    const order = 'external_id';
    await expectList(fixture, {
      ...list({}, order),
      ...named('cus_2', 'cus_3', 'cus_4', 'cus_1', 'cus_5'),
    });
    await expectList(fixture, { ...list({ externalIdPrefix: 'a' }, order), ...named('cus_3', 'cus_4') });
    await expectList(fixture, { ...list({ externalId: 'a' }, order), ...named('cus_3') });
  });

  it('refuses the order of external ids with other filters', async () => {
    const filters: CustomerFilter[] = [
      { createdAfter: hour(1) },
      { createdBefore: hour(1) },
      { consentPurpose: 'support' },
    ];
    const message = 'external_id goes with the filters external_id and external_id_prefix only';
    for (const filter of filters) {
      const error: unknown = await list(filter, 'external_id')
        .list({})
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ServiceError);
      expect(error).to.deep.include({ code: 'invalid_request', message: `The order ${message}.` });
      expect((error as ServiceError).facts.details).to.deep.equal([
        { code: 'unsupported_order', message, field: 'order' },
      ]);
    }
  });
});
