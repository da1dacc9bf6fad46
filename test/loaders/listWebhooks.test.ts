import { expect } from 'chai';
import type { WebhookDelivery, WebhookEndpoint, WebhookEventType } from '../../schema/types/Webhook.js';
import { EVENT_CATALOGUE } from '../../src/domain/webhooks/eventCatalogue.js';
import { changedDeliveries } from '../../src/loaders/changedDeliveries.js';
import { listWebhookDeliveries, loadWebhookDelivery } from '../../src/loaders/listWebhookDeliveries.js';
import { listWebhookEndpoints, loadWebhookEndpoint } from '../../src/loaders/listWebhookEndpoints.js';
import { listWebhookEventTypes } from '../../src/loaders/listWebhookEventTypes.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const minute = (at: number): string => `2026-03-01T00:0${at}:00.000Z`;
const AT = minute(0);
const DATA = {
  receipt_id: 'rcp_1',
  customer_id: 'cus_1',
  purposes: ['analytics', 'support'],
  granted_at: AT,
};
const ATTEMPT = {
  duration_ms: 7,
  status_code: 500,
  error_code: 'http_status',
  response_body: 'no',
  started_at: AT,
};

/** The endpoint, the status and the minute of the last change; `mask` is of the purposes. */
const DELIVERIES: Readonly<
  Record<string, [endpoint: string, status: string, changed: number, mask?: number]>
> = {
  dlv_1: ['whe_1', 'delivered', 3, 12],
  dlv_2: ['whe_1', 'pending', 1],
  dlv_3: ['whe_2', 'pending', 3],
  dlv_4: ['whe_1', 'pending', 2, 4],
  dlv_5: ['whe_2', 'pending', 1, 4],
  dlv_6: ['whe_2', 'failed', 1, 4],
};

describe('The lists of webhooks', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    const shown = { url: 'https://partner.example/hook', enabled_events: ['*'], status: 'active' };
    const endpoint = { ...shown, secret: 'sealed', created_at: AT, updated_at: AT };
    await fixture.insert('webhook_endpoints', [
      { ...endpoint, endpoint_id: 'whe_1' },
      { ...endpoint, endpoint_id: 'whe_2', paused_until: minute(8) },
      { ...endpoint, endpoint_id: 'whe_3', status: 'disabled', disabled_reason: 'gone' },
      { ...endpoint, endpoint_id: 'whe_1x', app_id: OTHER_APP },
    ]);
    // Of the customer analytics is shut.
    await fixture.insert('customer_heads', [
      { customer_id: 'cus_1', granted_mask: 8, epochs: [1, 1, 1, 1, 1, 1, 1], changed_at: AT },
    ]);
    for (const [delivery_id, [endpoint_id, status, changed, mask = 0]] of Object.entries(DELIVERIES)) {
      const row = {
        delivery_id,
        endpoint_id,
        status,
        position: changed,
        event_type: 'consent.granted',
        data: DATA,
        customer_id: mask === 0 ? null : 'cus_1',
        purpose_mask: mask,
        epochs: [1, 1, 1, 1, 1, 1, 1],
        next_attempt_at: status === 'pending' ? minute(5) : null,
        lease: mask === 0 ? 'an attempt that is under way' : null,
        occurred_at: AT,
        created_at: AT,
        updated_at: minute(changed),
      };
      await fixture.insert('webhook_deliveries', [row]);
    }
    for (const attempt of [2, 1])
      await fixture.insert('webhook_attempts', [{ ...ATTEMPT, delivery_id: 'dlv_1', attempt }]);
    await fixture.insert('webhook_attempts', [{ ...ATTEMPT, delivery_id: 'dlv_4', attempt: 1 }]);
  });
  after(() => fixture?.stop());

  const deliveries = (endpoint: string, status?: string) => ({
    list: async (request: object) => {
      const page = await listWebhookDeliveries(fixture.context(), endpoint, status, request);
      if (page === undefined) throw new Error('There is no such endpoint.');
      return page;
    },
    idOf: ({ id }: WebhookDelivery) => id,
    scope: { appId: APP, list: 'webhook_deliveries', filter: JSON.stringify([endpoint, status ?? null]) },
  });

  it('contain the endpoints newest first', async () => {
    await expectList(fixture, {
      list: (request) => listWebhookEndpoints(fixture.context(), request),
      idOf: ({ id }: WebhookEndpoint) => id,
      ids: ['whe_3', 'whe_2', 'whe_1'],
      scope: { appId: APP, list: 'webhook_endpoints' },
    });
    expect(await loadWebhookEndpoint(fixture.context(), 'whe_3')).to.deep.equal({
      id: 'whe_3',
      url: 'https://partner.example/hook',
      enabledEvents: ['*'],
      status: 'disabled',
      disabledReason: 'gone',
      createdAt: AT,
      updatedAt: AT,
    });
    for (const id of ['whe_1x', 'none'])
      expect(await loadWebhookEndpoint(fixture.context(), id)).to.equal(undefined);
  });

  it('contain the deliveries of an endpoint newest first, filtered by status', async () => {
    await expectList(fixture, { ...deliveries('whe_1'), ids: ['dlv_4', 'dlv_2', 'dlv_1'] });
    await expectList(fixture, { ...deliveries('whe_1', 'pending'), ids: ['dlv_4', 'dlv_2'] });
    await expectList(fixture, { ...deliveries('whe_1', 'failed'), ids: [] });
    await expectList(fixture, { ...deliveries('whe_3'), ids: [] });
    for (const id of ['whe_1x', 'none'])
      expect(await listWebhookDeliveries(fixture.context(), id, undefined, {})).to.equal(undefined);
  });

  it('contain a delivery with its attempts and the data that would be sent now', async () => {
    const { edges } = await deliveries('whe_1').list({});
    const [fourth, second, first] = edges.map(({ node }) => node);
    const attempt = {
      startedAt: AT,
      durationMs: 7,
      statusCode: 500,
      errorCode: 'http_status',
      responseBody: 'no',
    };
    const body = (data: object): string => JSON.stringify({ type: 'consent.granted', timestamp: AT, data });
    const shared = {
      endpointId: 'whe_1',
      eventType: 'consent.granted',
      errorCode: null,
      sequence: null,
      nextAttemptAt: null,
      workflowId: null,
      createdAt: AT,
    };
    expect({ ...first, body: undefined }).to.deep.equal({
      ...shared,
      id: 'dlv_1',
      status: 'delivered',
      body: undefined,
      attempts: [
        { ...attempt, attempt: 1 },
        { ...attempt, attempt: 2 },
      ],
    });
    expect(JSON.parse(first?.body ?? ''), 'without the purpose that is shut').to.deep.equal({
      type: 'consent.granted',
      timestamp: AT,
      data: { ...DATA, purposes: ['support'] },
    });
    expect(JSON.parse(second?.body ?? ''), 'about no customer').to.deep.equal(JSON.parse(body(DATA)));
    expect(second, 'an attempt is under way').to.deep.include({
      ...shared,
      id: 'dlv_2',
      status: 'pending',
      attempts: [],
    });
    expect(fourth?.nextAttemptAt, 'it waits').to.equal(minute(5));
    expect(fourth?.body, 'all its purposes are shut').to.equal(null);
    expect(fourth?.attempts, 'an answer may repeat the body').to.deep.equal([
      { ...attempt, attempt: 1, responseBody: null },
    ]);
    expect(await loadWebhookDelivery(fixture.context(), 'dlv_1')).to.deep.equal(first);
    expect(await loadWebhookDelivery(fixture.context(), 'none')).to.equal(undefined);
    expect(await loadWebhookDelivery(fixture.context(OTHER_APP), 'dlv_1')).to.equal(undefined);
  });

  it('contain when a delivery is tried next: not before the end of a pause of its endpoint', async () => {
    const page = await deliveries('whe_2').list({});
    const listed = page.edges.map(({ node }) => [node.id, node.nextAttemptAt]);
    expect(listed).to.deep.equal([
      ['dlv_6', null],
      ['dlv_5', minute(8)],
      ['dlv_3', null],
    ]);
    for (const [id, next] of listed)
      expect((await loadWebhookDelivery(fixture.context(), String(id)))?.nextAttemptAt).to.equal(next);
  });

  it('contain the deliveries of an endpoint changed since a time', async () => {
    const changed = async (since: string, limit = 5): Promise<unknown> =>
      changedDeliveries(fixture.context(), 'whe_1', new Date(since), limit);
    const all = [
      { id: 'dlv_2', at: minute(1) },
      { id: 'dlv_4', at: minute(2) },
      { id: 'dlv_1', at: minute(3) },
    ];
    expect(await changed(AT)).to.deep.equal(all);
    expect(await changed(AT, 2), 'the newest').to.deep.equal(all.slice(1));
    expect(await changed(minute(2))).to.deep.equal(all.slice(1));
  });

  it('contain the event types in the order of the catalogue', async () => {
    const types = EVENT_CATALOGUE.map(({ type }) => type as string);
    await expectList(fixture, {
      list: (request) => listWebhookEventTypes(fixture.context(), request),
      idOf: ({ type }: WebhookEventType) => type,
      ids: types,
      positions: [...types.keys()],
      scope: { appId: APP, list: 'webhook_event_types' },
    });
    const { nodes } = listWebhookEventTypes(fixture.context(), { first: 100 });
    expect(nodes).to.deep.equal(
      EVENT_CATALOGUE.map(({ type, description, schema }) => ({ type, description, schema })),
    );
  });
});
