import {
  believableClaims,
  believableCustomer,
  believableEvents,
  believableProducts,
  Random,
} from './believable.js';
import type { Partner } from './Partner.js';

const PURPOSES = ['personalization', 'analytics', 'support'];
/** The purposes of the claims. */
const CLAIMED = ['personalization', 'analytics'];
const BATCH = 500;
const PARALLEL = 8;

export interface DemoDataOptions {
  adminKey: string;
  customers: number;
  now: Date;
  seed?: number;
  /** Called with the progress. */
  onProgress(done: string): void;
}

export interface DemoDataResult {
  customers: number;
  claims: number;
  events: number;
  rejected: number;
  revoked: number;
}

/**
 * Fills the demo app through the public API: customers with conflicting, copied and old claims, a catalog,
 * events over 90 days, withdrawals, connection sessions, and a webhook whose receiver does not answer. A
 * second run updates the same customers.
 */
export async function makeDemoData(partner: Partner, options: DemoDataOptions): Promise<DemoDataResult> {
  const random = new Random(options.seed ?? 20_261_122);
  const { onProgress, now } = options;
  const objects = await makeCatalog(partner, random, options.adminKey);
  onProgress(`${objects.length} catalog entries`);
  await ensureFailingWebhook(partner);
  onProgress('a webhook whose receiver does not answer');
  const people = await makeCustomers(partner, random, options);
  const granting = people.filter(({ receiptId }) => receiptId !== undefined).map(({ id }) => id);
  const claims = granting.flatMap((id) =>
    CLAIMED.flatMap((purpose) => believableClaims(random, id, purpose, now)),
  );
  const badClaims = await sendAll(partner, 'claims', claims, onProgress);
  const events = granting.flatMap((id) => believableEvents(random, id, objects, 'analytics', now));
  const badEvents = await sendAll(partner, 'events', events, onProgress);
  const revoked = await withdrawSome(partner, random, people, onProgress);
  await openSessions(partner, people.slice(0, 12));
  onProgress('12 open connection sessions');
  const counts = { customers: people.length, claims: claims.length, events: events.length };
  return { ...counts, rejected: badClaims + badEvents, revoked };
}

async function makeCatalog(partner: Partner, random: Random, adminKey: string): Promise<string[]> {
  const fields = [
    { name: 'sku', type: 'string', required: true, label: 'SKU' },
    { name: 'category', type: 'string', required: false, label: 'Category' },
  ];
  const ontology = { name: 'Product', version: '1', fields, identity_fields: ['sku'] };
  await partner.send('PUT', '/v1/ontologies/demo.product', ontology, { 'x-service-admin-key': adminKey });
  return inParallel(believableProducts(random, 40), async ({ name, category, price }, index) => {
    const body = {
      ontology: 'demo.product',
      owner_id: 'demo',
      ingestion_origin: 'demo',
      entry_name: name,
      value: price,
    };
    const { entry } = await partner.send<{ entry: { entry_id: string } }>('POST', '/v1/entries', {
      ...body,
      fields: { sku: `DEMO-${index + 1}`, category },
    });
    return entry.entry_id;
  });
}

/** Port 9 of this machine (RFC 863) never answers. */
async function ensureFailingWebhook(partner: Partner): Promise<void> {
  const url = 'http://127.0.0.1:9/demo';
  const { data } = await partner.rest<{ data: { url: string }[] }>('GET', '/v1/webhook-endpoints');
  if (data.some((endpoint) => endpoint.url === url)) return;
  await partner.send('POST', '/v1/webhook-endpoints', {
    url,
    enabled_events: ['consent.revoked', 'workflow.failed'],
  });
}

interface Person {
  id: string;
  receiptId?: string;
}

async function makeCustomers(partner: Partner, random: Random, options: DemoDataOptions): Promise<Person[]> {
  const { customers: count, onProgress } = options;
  const wanted = Array.from({ length: count }, (_, index) => ({
    customer: believableCustomer(random, index),
    isGranting: random.chance(0.93),
  }));
  let done = 0;
  return inParallel(wanted, async ({ customer, isGranting }) => {
    const { customer: made } = await partner.send<{ customer: { id: string } }>(
      'POST',
      '/v1/customers',
      customer,
    );
    const person: Person = { id: made.id };
    if (isGranting) {
      const receipt = { customer_id: made.id, purposes: PURPOSES, terms_version: '2026-10' };
      person.receiptId = (await partner.send<{ id: string }>('POST', '/v1/consent-receipts', receipt)).id;
    }
    done += 1;
    if (done % 100 === 0) onProgress(`${done} of ${count} customers`);
    return person;
  });
}

/** @returns how many items were rejected */
async function sendAll(
  partner: Partner,
  kind: 'claims' | 'events',
  items: readonly object[],
  onProgress: DemoDataOptions['onProgress'],
): Promise<number> {
  let rejected = 0;
  for (let start = 0; start < items.length; start += BATCH) {
    const body = { [kind]: items.slice(start, start + BATCH) };
    const answer = await partner.send<{ rejected: number }>('POST', `/v1/${kind}/batch`, body);
    rejected += answer.rejected;
    onProgress(`${Math.min(start + BATCH, items.length)} of ${items.length} ${kind}`);
  }
  return rejected;
}

/** One person in eight withdraws one purpose, one in twenty all of them. @returns how many withdrew */
async function withdrawSome(
  partner: Partner,
  random: Random,
  people: readonly Person[],
  onProgress: DemoDataOptions['onProgress'],
): Promise<number> {
  const leaving = people.flatMap(({ receiptId }) => {
    if (receiptId === undefined) return [];
    if (random.chance(0.05)) return [{ receiptId, body: { reason: 'user_request' } }];
    const body = { reason: 'user_request', purposes: [random.pick(PURPOSES)] };
    return random.chance(0.12) ? [{ receiptId, body }] : [];
  });
  await inParallel(leaving, ({ receiptId, body }) =>
    partner.send('POST', `/v1/consent-receipts/${receiptId}/revoke`, body),
  );
  onProgress(`${leaving.length} withdrawals`);
  return leaving.length;
}

async function openSessions(partner: Partner, people: readonly Person[]): Promise<void> {
  await inParallel(people, ({ id }) =>
    partner.send('POST', '/v1/connection-sessions', {
      customer_id: id,
      requested_purposes: PURPOSES,
      expires_in: 3600,
    }),
  );
}

/** The results in the order of the items. At most `PARALLEL` requests run at a time. */
async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}
