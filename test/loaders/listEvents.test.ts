import { expect } from 'chai';
import type { Event } from '../../schema/types/Event.js';
import { StoredJson } from '../../src/documents/FreeForm.js';
import type { ListOrder } from '../../src/domain/listOrder.js';
import { PURPOSES } from '../../src/domain/purposes.js';
import { listEvents } from '../../src/loaders/listEvents.js';
import type { EventFilter } from '../../src/loaders/listEvents.js';
import { loadEvent } from '../../src/loaders/loadEvent.js';
import { scopeOf } from '../../src/loaders/page.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const AT = '2026-03-01T00:00:00.000Z';
const SUPPORT = 3;
const ANALYTICS = 2;
const PAYLOAD = { eventType: 'liked', object: 'ent_1', occurredAt: AT };
const WHOLE = {
  ...PAYLOAD,
  intentCategory: 'sentiment',
  properties: { stars: 5 },
  source: 'till',
  confidence: 0.5,
  eventKey: 'key-1',
};

/** The same as it is read: free-form values are not parsed. */
const READ = { ...WHOLE, properties: new StoredJson('{"stars": 5}') };

interface EventCase {
  status: string;
  customer?: string;
  purpose?: number;
  epoch?: number;
  payload?: object | null;
}

/** Settled and waiting by turns. */
const EVENTS: Readonly<Record<string, EventCase>> = {
  evt_1: { status: 'processed', payload: WHOLE },
  evt_2: { status: 'accepted' },
  evt_3: { status: 'rejected', customer: 'cus_2' },
  evt_4: { status: 'processing', customer: 'cus_2', purpose: ANALYTICS },
  evt_5: { status: 'failed', purpose: ANALYTICS },
  evt_6: { status: 'accepted', purpose: ANALYTICS, epoch: 1 },
  evt_7: { status: 'processed', epoch: 2, payload: null },
  evt_8: { status: 'processing', payload: WHOLE },
};
const isWaiting = ({ status }: EventCase): boolean => status === 'accepted' || status === 'processing';

describe('The list of events', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    for (const customer_id of ['cus_1', 'cus_2'])
      await fixture.insert('customer_heads', [
        { customer_id, granted_mask: 12, epochs: [1, 1, 2, 2, 1, 1, 1], changed_at: AT },
      ]);
    for (const [event_id, event] of Object.entries(EVENTS)) {
      const sequence = Number(event_id.slice(4));
      const { status, customer = 'cus_1', purpose = SUPPORT, epoch = 2, payload = PAYLOAD } = event;
      const shared = { customer_id: customer, sequence, purpose, epoch, payload, accepted_at: AT };
      if (!isWaiting(event)) {
        const error = status === 'failed' ? { code: 'x', message: 'X.' } : null;
        await fixture.insert('events', [{ ...shared, event_id, status, error, processed_at: AT }]);
        continue;
      }
      const attempts = status === 'processing' ? 2 : 0;
      const item = { ...shared, attempts, kind: 'event', item_id: event_id };
      const claim = { ...item, kind: 'claim', item_id: `clm_${sequence}`, sequence: sequence + 100 };
      await fixture.insert('inbox', [item, claim]);
    }
    const foreign = { customer_id: 'cus_1', sequence: 1, purpose: SUPPORT, epoch: 2, payload: PAYLOAD };
    await fixture.insert('events', [
      {
        ...foreign,
        app_id: OTHER_APP,
        event_id: 'evt_1x',
        status: 'processed',
        accepted_at: AT,
        processed_at: AT,
      },
    ]);
  });
  after(() => fixture?.stop());

  const list = (filter: EventFilter, order?: ListOrder) => ({
    list: (request: object) => listEvents(fixture.context(), filter, { ...request, order }),
    idOf: ({ id }: Event) => id,
    statement: 'events_',
    scope: scopeOf(APP, 'events', filter, order),
  });
  const idsOf = (meets: (event: Required<Pick<EventCase, 'customer' | 'purpose'>> & EventCase) => boolean) =>
    Object.entries(EVENTS)
      .filter(([, event]) => meets({ customer: 'cus_1', purpose: SUPPORT, ...event }))
      .map(([id]) => id)
      .toReversed();
  const bothWays = async (filter: EventFilter, ids: string[]): Promise<void> => {
    await expectList(fixture, { ...list(filter), ids });
    await expectList(fixture, { ...list(filter, 'oldest_first'), ids: ids.toReversed() });
  };

  it('merges waiting and settled events in the order of ids', async () => {
    await bothWays({}, Object.keys(EVENTS).toReversed());
  });

  for (const status of ['accepted', 'processing', 'processed', 'rejected', 'failed']) {
    it(`is filtered by the status ${status}`, async () => {
      await bothWays(
        { status },
        idsOf((event) => event.status === status),
      );
    });
  }

  it('is filtered by customer', async () => {
    const ids = idsOf(({ customer }) => customer === 'cus_2');
    await bothWays({ customerId: 'cus_2' }, ids);
    await bothWays({ customerId: 'none' }, []);
  });

  it('is filtered by purpose', async () => {
    const ids = idsOf(({ purpose }) => purpose === ANALYTICS);
    await bothWays({ consentPurpose: 'analytics' }, ids);
    await bothWays({ consentPurpose: 'measurement' }, []);
  });

  it('is filtered by customer, purpose and status together', async () => {
    await bothWays({ customerId: 'cus_1', consentPurpose: 'support', status: 'processed' }, [
      'evt_7',
      'evt_1',
    ]);
    await bothWays({ customerId: 'cus_2', consentPurpose: 'analytics', status: 'processing' }, ['evt_4']);
    await bothWays({ customerId: 'cus_1', consentPurpose: 'analytics', status: 'processing' }, []);
  });

  it('shows under every filter what it shows without one, and no content of a closed epoch', async () => {
    const all = new Map(
      ((await list({}).list({ first: 10 })).nodes as Event[]).map((event) => [event.id, event]),
    );
    const filters: EventFilter[] = [
      { customerId: 'cus_1' },
      { consentPurpose: 'analytics' },
      { status: 'accepted', customerId: 'cus_1', consentPurpose: 'analytics' },
    ];
    for (const filter of filters) {
      const nodes = (await list(filter).list({ first: 10 })).nodes as Event[];
      for (const node of nodes) expect(node).to.deep.equal(all.get(node.id));
      expect(nodes.find(({ id }) => id === 'evt_6')).to.deep.equal({
        id: 'evt_6',
        eventId: 'evt_6',
        status: 'accepted',
        sequence: 6,
        error: null,
        acceptedAt: AT,
        processedAt: null,
      });
    }
  });

  it('contains each event with all fields and their defaults', async () => {
    const { nodes } = await list({}).list({ first: 10 });
    const events = new Map((nodes as Event[]).map((event) => [event.id, event]));
    const shown = (id: string, status: string) => ({
      id,
      eventId: id,
      status,
      sequence: Number(id.slice(4)),
      error: null,
      acceptedAt: AT,
      processedAt: AT,
    });
    const consent = { customerId: 'cus_1', consentPurpose: PURPOSES[SUPPORT] };
    expect(events.get('evt_1')).to.deep.equal({ ...shown('evt_1', 'processed'), ...consent, ...READ });
    expect(events.get('evt_8')).to.deep.equal({
      ...shown('evt_8', 'processing'),
      processedAt: null,
      ...consent,
      ...READ,
    });
    expect(events.get('evt_5')).to.deep.equal({
      ...shown('evt_5', 'failed'),
      error: { code: 'x', message: 'X.' },
      customerId: 'cus_1',
      consentPurpose: 'analytics',
      ...PAYLOAD,
      intentCategory: null,
      properties: null,
      source: 'Harbour Books',
      confidence: 1,
      eventKey: null,
    });
    expect(events.get('evt_6'), 'of an epoch that is closed').to.deep.equal({
      ...shown('evt_6', 'accepted'),
      processedAt: null,
    });
    expect(events.get('evt_7'), 'erased').to.deep.equal(shown('evt_7', 'processed'));
    for (const [id, event] of events) expect(await loadEvent(fixture.context(), id), id).to.deep.equal(event);
  });

  it('counts up to 10,000 events of one status and purpose and returns null beyond', async () => {
    const add = (from: number, to: number): Promise<void> =>
      fixture.sql(
        `INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, accepted_at,
           processed_at)
         SELECT '${OTHER_APP}', 'cus_1', n, 'evt_' || n, 'processed', 0, 1, now(), now()
           FROM generate_series(${from}, ${to}) AS n`,
      );
    const filter = { status: 'processed', consentPurpose: 'account_linking' } as const;
    const count = async (): Promise<number | null> =>
      (await listEvents(fixture.context(OTHER_APP), filter, { first: 1 })).count();
    await add(101, 10_100);
    expect(await count()).to.equal(10_000);
    await add(10_101, 10_101);
    expect(await count()).to.equal(null);
  });

  it('contains no event of another app and no claim', async () => {
    for (const id of ['evt_1x', 'clm_2', 'none'])
      expect(await loadEvent(fixture.context(), id), id).to.equal(undefined);
  });
});
