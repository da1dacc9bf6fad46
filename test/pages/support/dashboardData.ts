import { expect } from 'chai';
import { TestReceiver } from '../../support/TestReceiver.js';
import type { PagesHarness } from './PagesHarness.js';
import { ADMIN_KEY } from './PagesHarness.js';

/** What the dashboard's tests and screenshots look at. All of it was made through the public API. */
export interface DashboardData {
  /** Somebody of whom much is known. */
  mira: { customerId: string; receiptId: string };
  receiver: TestReceiver;
  endpointId: string;
}

type Body = Record<string, unknown>;

const PEOPLE = [
  'noor', 'tomasz', 'aiko', 'lucas', 'fatima', 'ivan', 'chloe', 'diego', 'hanna', 'omar', 'priya', 'sven', 'yuki', 'zoe',
  'ben', 'carla', 'emil', 'greta', 'henri', 'ines', 'jonas', 'kira', 'leon', 'maja', 'nils', 'oleg', 'petra',
]; // prettier-ignore

const PURPOSES = ['personalization', 'analytics', 'profile_resolution', 'measurement', 'support'];

const PRODUCTS = ['Trail jacket', 'Canvas tote', 'Wool cap', 'Rain boots'];

/** Fills the partner's app: customers, consent, claims that disagree, events, sessions, webhooks. */
export async function fillDashboard(harness: PagesHarness): Promise<DashboardData> {
  const receiver = await TestReceiver.start();
  const post = (path: string, body: Body): Promise<Body> => made(harness, path, body);
  const endpoint = await post('/v1/webhook-endpoints', {
    url: receiver.url('/hooks'),
    enabled_events: ['*'],
  });
  const entries = await makeCatalog(harness);
  for (const [index, name] of PEOPLE.entries()) await makePerson(post, name, index);
  const mira = await makeMira(post, entries);
  await waitForFacts(harness, mira.customerId);
  await harness.newSession({ customer_id: mira.customerId });
  const canceled = await harness.newSession({
    customer_id: mira.customerId,
    requested_purposes: ['support'],
  });
  await harness.cancel(canceled.session.id);
  return { mira, receiver, endpointId: String((endpoint['endpoint'] as Body)['id']) };
}

async function made(harness: PagesHarness, path: string, body: Body): Promise<Body> {
  const answer = await harness.attempt('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 299);
  return answer.body;
}

async function makeCatalog(harness: PagesHarness): Promise<string[]> {
  const fields = [
    { name: 'sku', type: 'string', required: true, label: 'SKU' },
    { name: 'price', type: 'number', label: 'Price' },
    { name: 'colours', type: 'string_array' },
  ];
  const ontology = { name: 'Product', version: '1', fields, identity_fields: ['sku'] };
  const answer = await harness.attempt('PUT', '/v1/ontologies/product', ontology, {
    'x-service-admin-key': ADMIN_KEY,
  });
  expect(answer.status).to.be.within(200, 299);
  const ids: string[] = [];
  for (const [index, name] of PRODUCTS.entries()) {
    const entry = {
      ontology: 'product',
      entry_name: name,
      fields: { sku: `AC-10${index}`, price: 39 + index * 20 },
    };
    ids.push(String(((await made(harness, '/v1/entries', entry))['entry'] as Body)['entry_id']));
  }
  return ids;
}

async function makePerson(
  post: (path: string, body: Body) => Promise<Body>,
  name: string,
  index: number,
): Promise<void> {
  const { customer } = await post('/v1/customers', {
    external_id: `member-${2000 + index}`,
    profile: { username: name },
  });
  const purposes = PURPOSES.slice(0, index % (PURPOSES.length + 1));
  if (purposes.length === 0) return;
  const customerId = String((customer as Body)['id']);
  const receipt = await post('/v1/consent-receipts', {
    customer_id: customerId,
    purposes,
    terms_version: '2026-10',
  });
  if (index % 5 !== 4) return;
  await post(`/v1/consent-receipts/${String(receipt['id'])}/revoke`, {
    purposes: [purposes[0]],
    reason: 'user_request',
  });
}

async function makeMira(
  post: (path: string, body: Body) => Promise<Body>,
  entries: readonly string[],
): Promise<DashboardData['mira']> {
  const profile = { username: 'Mira Lindqvist', public_location: { city: 'Gothenburg', country: 'SE' } };
  const { customer } = await post('/v1/customers', { external_id: 'member-1001', profile });
  const customerId = String((customer as Body)['id']);
  const consent = (purposes: string[]): Promise<Body> =>
    post('/v1/consent-receipts', {
      customer_id: customerId,
      purposes,
      terms_version: '2026-10',
      privacy_policy_version: '7',
    });
  const receipt = await consent(['profile_resolution', 'personalization', 'analytics', 'measurement']);
  const support = await consent(['support']);
  const withdrawal = { reason: 'user_request', note: 'Asked by phone' };
  await post(`/v1/consent-receipts/${String(support['id'])}/revoke`, withdrawal);
  await post('/v1/claims/batch', { claims: claimsOf(customerId) });
  const events = entries.map((object, index) => ({
    customer_id: customerId,
    consent_purpose: 'analytics',
    event_type: ['purchased', 'liked', 'shared', 'purchased'][index],
    object,
    occurred_at: daysAgo(index + 1),
  }));
  await post('/v1/events/batch', { events });
  return { customerId, receiptId: String(receipt['id']) };
}

function claimsOf(customerId: string): Body[] {
  const claim = (
    purpose: string,
    attribute: string,
    value: unknown,
    source: string,
    days: number,
    confidence: number,
  ) => ({
    customer_id: customerId,
    consent_purpose: purpose,
    attribute,
    value,
    source,
    observed_at: daysAgo(days),
    confidence,
    provenance: { source_partner: 'Acme Outfitters', source_system: source, collected_at: daysAgo(days) },
  });
  return [
    claim('profile_resolution', 'home.city', 'Gothenburg', 'crm', 12, 0.9),
    claim('profile_resolution', 'home.city', 'gothenburg', 'loyalty_card', 40, 0.8),
    claim('profile_resolution', 'home.city', 'Gothenburg', 'newsletter', 95, 0.7),
    claim('profile_resolution', 'home.city', 'Malmö', 'purchased_list', 700, 0.95),
    claim('profile_resolution', 'household.size', 3, 'survey', 30, 0.8),
    claim('profile_resolution', 'household.size', 2, 'purchased_list', 500, 0.6),
    claim('profile_resolution', 'language', 'sv', 'app', 2, 0.98),
    claim('personalization', 'favourite.colour', 'teal', 'survey', 5, 0.9),
    claim('personalization', 'interests', ['sailing', 'jazz'], 'survey', 5, 0.9),
    claim('personalization', 'interests', ['sailing', 'chess'], 'newsletter', 30, 0.7),
    claim('analytics', 'visits.monthly', 4, 'web_shop', 2, 0.95),
    claim('analytics', 'visits.monthly', 4, 'app', 3, 0.9),
    claim('analytics', 'newsletter.reader', true, 'newsletter', 9, 0.55),
  ];
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

/** Claims and events are applied soon after they were accepted. */
async function waitForFacts(harness: PagesHarness, customerId: string): Promise<void> {
  for (;;) {
    const profile = await harness.attempt('GET', `/v1/profiles/${customerId}`);
    const intents = await harness.attempt('GET', `/v1/profiles/${customerId}/intents`);
    const [facts, found] = [profile.body['facts'], intents.body['data']] as unknown[][];
    if ((facts?.length ?? 0) >= 7 && (found?.length ?? 0) >= 3) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
