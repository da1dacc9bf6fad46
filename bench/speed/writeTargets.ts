import { randomUUID } from 'node:crypto';

export type WriteGroup = 'customers' | 'receipts' | 'claims' | 'events';

/** One write to measure, by the service or by hand. */
export interface WriteTarget {
  group: WriteGroup;
  server: 'ours' | 'writes';
  name: string;
}

export const WRITE_GROUPS: Record<WriteGroup, { path: string; body: (customerId: string) => object }> = {
  customers: {
    path: '/v1/customers',
    body: () => ({
      external_id: randomUUID(),
      profile: { username: 'reader', bio_markdown: 'Reads *a lot*.' },
    }),
  },
  receipts: {
    path: '/v1/consent-receipts',
    body: (customerId) => ({ customer_id: customerId, purposes: ['personalization', 'analytics'] }),
  },
  claims: { path: '/v1/claims', body: makeClaim },
  events: { path: '/v1/events', body: makeEvent },
};

/** By hand first: what the service is compared with. */
export const WRITE_TARGETS: readonly WriteTarget[] = (
  ['customers', 'receipts', 'claims', 'events'] as const
).flatMap((group) => [
  { group, server: 'writes', name: 'by hand: node:http + pg' } as const,
  { group, server: 'ours', name: 'this service' } as const,
]);

let made = 0;

/** A claim of one of ten attributes, by one of six sources. */
export function makeClaim(customerId: string): object {
  made += 1;
  return {
    customer_id: customerId,
    attribute: `preference.topic_${String(made % 10).padStart(3, '0')}`,
    value: `value ${made % 7}`,
    source: `source_${made % 6}`,
    observed_at: '2026-11-01T08:00:00.000Z',
    context: 'seen at the till of the harbour branch',
    consent_purpose: 'personalization',
    confidence: 0.9,
    provenance: {
      source_partner: 'Harbour Books',
      collected_at: '2026-11-01T08:00:00.000Z',
      source_system: 'till-17',
    },
  };
}

/** An event on one of ten entries, which `seedEntries` makes. */
export function makeEvent(customerId: string): object {
  made += 1;
  return {
    customer_id: customerId,
    event_type: made % 5 === 0 ? 'purchased' : 'viewed',
    object: `entry-${made % 10}`,
    consent_purpose: 'personalization',
    occurred_at: `2026-01-${String(1 + (made % 28)).padStart(2, '0')}T10:00:00.000Z`,
    properties: { channel: 'web', campaign: 'spring', position: made },
  };
}

/** Claims of as many customers in a row. */
export function makeClaims(ids: readonly string[], count: number): { claims: object[] } {
  const first = Math.floor(Math.random() * ids.length);
  return {
    claims: Array.from({ length: count }, (_, at) => makeClaim(ids[(first + at) % ids.length] ?? '')),
  };
}

/** The bytes of a POST as any client would send it, each with an idempotency key of its own. */
export function postBytes(path: string, token: string, body: object): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: bench-${randomUUID()}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
