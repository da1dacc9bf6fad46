import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import type { OperationExample } from '../../rest-bridge/openapi/examples.js';
import { eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { routeCases } from './routeCases.js';

const FILE = 'rest-bridge/openapi/examples.json';

/** Secrets and what stands for a moment or a machine, by the name of the member. */
const REPLACED: Readonly<Record<string, string>> = {
  client_secret: 'shown-once-keep-it-safe',
  client_token: 'shown-once-single-use',
  signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  next_cursor: 'ImN1c18wMWthZmVtMXh2ZTd2YnM5N3NuNHI3MWJyZiI.x1y2z3',
  checksum: `sha256:${'0'.repeat(64)}`,
  resolved_at: '2026-11-20T07:23:00.000Z',
};

/** The value with ids, times and secrets that are the same at every run. */
function steady(value: unknown, ids: Map<string, string>, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => steady(item, ids));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, steady(member, ids, key)]));
  if (typeof value !== 'string') return value;
  return REPLACED[name] ?? steadyText(value, ids);
}

function steadyText(text: string, ids: Map<string, string>): string {
  return text
    .replace(/\b(app|cus|cs|rcp|clm|evt|int|wf|whe|whd|acc|ent)_[0-9a-z]{26}\b/g, (id: string, prefix: string) => {
      const known = ids.get(id) ?? `${prefix}_01kafem1xve7vbs97sn4r7${String(ids.size + 1).padStart(4, '0')}`;
      ids.set(id, known);
      return known;
    })
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-20T07:23:00.000Z')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.consent-profile.test')
    .replace(/client_token=[\w-]+/g, 'client_token=shown-once-single-use')
    .replace(/\b(case|reader)-\d+\b/g, '$1-1')
    .replace(/\bisbn-0?\.\d+(e-\d+)?\b/g, 'isbn-1');
}

describe('the examples of the OpenAPI document', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;
  let event: string;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    customer = await makeCustomer(app);
    await grant(app, customer, 'personalization', 'analytics');
    const book = await makeEntry(app);
    await sendClaims(
      app,
      claimBody(customer),
      claimBody(customer, { source: 'survey', value: 'poetry', confidence: 0.6 }),
    );
    event = expectStatus(await app.rest('POST', '/v1/events', eventBody(customer, book)), 202).event_id as string;
    await settled(app, event);
  });
  after(() => service.stop());

  /** Paths that lead to something worth showing. */
  const shown = (operation: string): string | undefined =>
    ({
      getProfile: `/v1/profiles/${customer}`,
      listClaims: `/v1/profiles/${customer}/claims?limit=1`,
      listIntents: `/v1/profiles/${customer}/intents`,
      getEvent: `/v1/events/${event}`,
      listEvents: `/v1/events?customer_id=${customer}`,
      listCustomers: '/v1/customers?limit=1',
      listConsentReceipts: `/v1/consent-receipts?customer_id=${customer}`,
      listEntries: '/v1/entries?limit=1',
      listOntologies: '/v1/ontologies?limit=1',
      listWebhookEventTypes: '/v1/webhook-event-types?limit=1',
      listConnectionSessions: '/v1/connection-sessions?limit=1',
      listWorkflows: '/v1/workflows?limit=1',
    })[operation];

  async function capture(operation: string, method: string): Promise<OperationExample> {
    const found = routeCases[operation];
    if (found === undefined) throw new Error(`Add ${operation} to routeCases.ts.`);
    const by = found.needs === 'admin' ? service.admin : app;
    const path = shown(operation) ?? (await found.path(app, service));
    const request: unknown = await found.body?.(app, service, path);
    const answer = await by.rest(method, path, request);
    if (answer.status >= 300) throw new Error(`${operation}: ${answer.text}`);
    const ids = new Map<string, string>();
    const sent = request === undefined ? {} : { request: steady(request, ids) };
    return { ...sent, ...(answer.status === 204 ? {} : { response: steady(answer.body as Json, ids) }) };
  }

  it('are answers of the service; UPDATE_EXAMPLES=1 writes what it answers now', async function () {
    this.timeout(60_000);
    const captured: Record<string, OperationExample> = {};
    // Nothing of a run before them may show: the app's own secret is rotated last.
    const routes = allRoutes.toSorted((a, b) => Number(a.path.includes('rotate')) - Number(b.path.includes('rotate')));
    for (const { operation, method } of routes) captured[operation] = await capture(operation, method);
    const text = `${JSON.stringify(captured, null, 2)}\n`;
    if (process.env['UPDATE_EXAMPLES'] === '1') writeFileSync(FILE, text);
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExample>;
    expect(Object.keys(kept)).to.have.members(allRoutes.map(({ operation }) => operation));
    for (const { operation } of allRoutes)
      expect(shapeOf(captured[operation]), operation).to.deep.equal(shapeOf(kept[operation]));
  });
});

/** Members and kinds of values: what a moment decides (states, numbers) may differ from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}
