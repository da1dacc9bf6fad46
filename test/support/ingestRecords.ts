import { expectStatus } from './records.js';
import type { TestPartner, Json } from './TestPartner.js';
import type { TestService } from './TestService.js';

/** The ontology that the tests' entries follow unless another is named. */
export const BOOK = 'book';

/** Makes the ontology of books, visible to every app: identity `isbn`, required `title`. */
export async function putBooks(service: TestService): Promise<void> {
  const answer = await service.admin.rest('PUT', `/v1/ontologies/${BOOK}`, bookOntology());
  if (answer.status !== 200 && answer.status !== 201) throw new Error(answer.text);
}

export function bookOntology(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Book',
    version: '1',
    fields: [
      { name: 'isbn', type: 'string', required: true, label: 'ISBN' },
      { name: 'title', type: 'string', required: true },
      { name: 'pages', type: 'integer' },
      { name: 'price', type: 'number' },
      { name: 'in_print', type: 'boolean' },
      { name: 'published_at', type: 'date_time' },
      { name: 'genres', type: 'string_array' },
      { name: 'size', type: 'object' },
    ],
    identity_fields: ['isbn'],
    ...fields,
  };
}

/** Makes an entry; its id. The ontology of books must exist. */
export async function makeEntry(app: TestPartner, fields: Record<string, unknown> = {}): Promise<string> {
  const body = {
    ontology: BOOK,
    entry_name: 'A book',
    fields: { isbn: `isbn-${Math.random()}`, title: 'Persuasion', ...fields },
  };
  return expectStatus(await app.rest('POST', '/v1/entries', body), 201).entry.entry_id as string;
}

/** The body of an event; the fields given replace its own. */
export function eventBody(
  customerId: string,
  object: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    customer_id: customerId,
    event_type: 'purchased',
    object,
    consent_purpose: 'personalization',
    occurred_at: '2026-01-02T03:04:05.000Z',
    ...fields,
  };
}

/** Waits until an event is no longer on its way; the event. */
export async function settled(app: TestPartner, eventId: string): Promise<Json> {
  for (;;) {
    const event = expectStatus(await app.rest('GET', `/v1/events/${eventId}`), 200);
    if (event.status !== 'accepted' && event.status !== 'processing') return event;
    await new Promise((wake) => setTimeout(wake, 10));
  }
}
