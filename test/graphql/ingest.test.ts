import { expect } from 'chai';
import { snakeCase } from '../../src/domain/snakeCase.js';
import { BOOK, eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import { expectStatus, finished, grant, makeCustomer, revoke } from '../support/records.js';
import type { GraphqlAnswer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const PUT = `mutation ($id: ID!, $key: String!, $input: PutOntologyInput!) {
  putOntology(id: $id, idempotencyKey: $key, input: $input) {
    status ontology { id version fields { name type internalSlot } } } }`;
const CREATE = `mutation ($key: String!, $input: CreateEntryInput!) {
  createEntry(idempotencyKey: $key, input: $input) {
    status entry { entryId fields checksum media { primaryImage } } } }`;
const REPLACE = `mutation ($id: ID!, $key: String!, $input: ReplaceEntryInput!) {
  replaceEntry(id: $id, idempotencyKey: $key, input: $input) { status entry { entryId fields } } }`;
const REBUILD = `mutation ($id: ID!, $key: String!) {
  rebuildOntology(id: $id, idempotencyKey: $key) { workflowId status } }`;
const LIST = `query ($ontology: ID, $fields: JSONObject, $first: Int, $after: String) {
  entries(ontology: $ontology, fields: $fields, first: $first, after: $after) {
    edges { cursor node { entryId } } pageInfo { hasNextPage endCursor } } }`;
const INGEST = `mutation ($key: String!, $input: IngestEventInput!) {
  ingestEvent(idempotencyKey: $key, input: $input) { eventId status sequence acceptedAt statusUrl } }`;
const INGEST_ALL = `mutation ($key: String!, $input: IngestEventsInput!) {
  ingestEvents(idempotencyKey: $key, input: $input) {
    accepted rejected data { index eventId status error { code details { field } } } } }`;
const EVENT = `query ($id: ID!) { event(id: $id) {
  eventId status sequence eventType consentPurpose properties } }`;
const INTENTS = `query ($id: ID!, $purpose: ConsentPurpose, $category: IntentCategory) {
  intents(customerId: $id, consentPurpose: $purpose, category: $category, first: 10) {
    nodes { id category object consentPurpose confidence
    evidence { attribute value provenance { sourcePartner } } } }
  customer(id: $id) { intents(consentPurpose: $purpose) { edges { node { id } } } } }`;

describe('ontologies, entries, events and intents over GraphQL', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    other = await service.makeApp();
  });

  after(() => service.stop());

  const codes = ({ errors }: GraphqlAnswer): unknown[] => errors.map(({ extensions }) => extensions['code']);
  const fields = ({ errors }: GraphqlAnswer): unknown[] =>
    ((errors[0]?.extensions['details'] ?? []) as { field: string }[]).map(({ field }) => field);

  function event(
    customerId: string,
    object: string,
    own: Record<string, unknown> = {},
  ): Record<string, unknown> {
    return {
      customerId,
      object,
      eventType: 'purchased',
      consentPurpose: 'PERSONALIZATION',
      occurredAt: '2026-01-02T03:04:05Z',
      ...own,
    };
  }

  const fieldsOfItems = ({ data }: Json): unknown[] =>
    data.flatMap(({ error }: Json) => error?.details.map(({ field }: Json) => field) ?? []);

  /** The item of a batch as REST spells it. */
  function inRestNames({ consentPurpose, ...item }: Record<string, unknown>): Json {
    const named = Object.entries(item).map(([name, value]) => [snakeCase(name), value]);
    return { ...Object.fromEntries(named), consent_purpose: String(consentPurpose).toLowerCase() };
  }

  async function reader(): Promise<{ id: string; receipt: string }> {
    const id = await makeCustomer(app);
    return { id, receipt: await grant(app, id, 'personalization') };
  }

  it('defines an ontology with the administrative key only', async () => {
    const input = {
      name: 'Film',
      version: '1',
      fields: [{ name: 'year', type: 'INTEGER' }],
      identityFields: [],
    };
    const made = await service.admin.graphql(PUT, { id: 'film', input });
    expect(made.data.putOntology).to.deep.equal({
      status: 'CREATED',
      ontology: { id: 'film', version: '1', fields: [{ name: 'year', type: 'INTEGER', internalSlot: 'f1' }] },
    });
    expect(codes(await app.graphql(PUT, { id: 'film', input }))).to.deep.equal(['UNAUTHENTICATED']);
    const bad = await service.admin.graphql(PUT, {
      id: 'film',
      input: { ...input, identityFields: ['none'] },
    });
    expect(codes(bad)).to.deep.equal(['VALIDATION_FAILED']);
    const misnamed = await service.admin.graphql(PUT, { id: 'BAD', input });
    expect(fields(misnamed)).to.deep.equal(['id']);
    expect(misnamed.errors[0]?.message).to.equal('The request is not valid: id.');
  });

  it('reads ontologies, with null and NOT_FOUND for an unknown one', async () => {
    const query = `query ($id: ID!) { ontology(id: $id) {
      id identityFields internalStorage { compactSlotFamily } }
      ontologies(first: 1) { nodes { id } pageInfo { hasNextPage } } }`;
    const { data } = await app.graphql(query, { id: BOOK });
    expect(data.ontology).to.deep.include({ id: BOOK, identityFields: ['isbn'] });
    expect(data.ontologies.nodes).to.have.length(1);
    const unknown = await app.graphql(query, { id: 'nothing' });
    expect([unknown.data.ontology, codes(unknown)]).to.deep.equal([null, ['NOT_FOUND']]);
    const narrow = await service.narrowed(app, 'entries:read');
    expect(codes(await narrow.graphql(query, { id: BOOK }))).to.include('INSUFFICIENT_SCOPE');
  });

  it('creates, replaces, reads and lists entries', async () => {
    const input = {
      ontology: BOOK,
      fields: { isbn: 'g1', title: 'Emma', pages: 5 },
      media: { primaryImage: 'a.jpg' },
    };
    const { data } = await app.graphql(CREATE, { input });
    expect(data.createEntry.status).to.equal('CREATED');
    expect(data.createEntry.entry.media).to.deep.equal({ primaryImage: 'a.jpg' });
    const id = data.createEntry.entry.entryId as string;
    const replaced = await app.graphql(REPLACE, {
      id,
      input: { ontology: BOOK, fields: { isbn: 'g1', title: 'E' } },
    });
    expect(replaced.data.replaceEntry).to.deep.equal({
      status: 'UPDATED',
      entry: { entryId: id, fields: { isbn: 'g1', title: 'E' } },
    });
    const other2 = await makeEntry(app, { title: 'E' });
    const first = await app.graphql(LIST, { ontology: BOOK, fields: { title: 'E' }, first: 1 });
    expect(first.data.entries.edges[0].node.entryId).to.equal(other2);
    const after = first.data.entries.pageInfo.endCursor as string;
    const second = await app.graphql(LIST, { ontology: BOOK, fields: { title: 'E' }, first: 1, after });
    expect(second.data.entries.edges[0].node.entryId).to.equal(id);
    const foreign = await other.graphql('query ($id: ID!) { entry(id: $id) { entryId } }', { id });
    expect([foreign.data.entry, codes(foreign)]).to.deep.equal([null, ['NOT_FOUND']]);
  });

  it('refuses entries that are not valid, unknown, changed in identity, or beyond the scope', async () => {
    const bad = await app.graphql(CREATE, { input: { ontology: BOOK, fields: { isbn: 1, colour: 'x' } } });
    expect(codes(bad)).to.deep.equal(['VALIDATION_FAILED']);
    expect(fields(bad)).to.have.members(['fields.isbn', 'fields.title', 'fields.colour']);
    const id = await makeEntry(app, { isbn: 'g2' });
    const input = { ontology: BOOK, fields: { isbn: 'g3', title: 'x' } };
    expect(codes(await app.graphql(REPLACE, { id, input }))).to.deep.equal(['CONFLICT']);
    expect(codes(await other.graphql(REPLACE, { id, input }))).to.deep.equal(['NOT_FOUND']);
    const narrow = await service.narrowed(app, 'entries:read');
    expect(codes(await narrow.graphql(CREATE, { input }))).to.deep.equal(['INSUFFICIENT_SCOPE']);
    expect(codes(await app.graphql(LIST, { fields: { isbn: 'x' } }))).to.deep.equal(['INVALID_REQUEST']);
  });

  it('rebuilds the filter index', async () => {
    const { data } = await app.graphql(REBUILD, { id: BOOK });
    expect(data.rebuildOntology.status).to.equal('ACCEPTED');
    expect((await finished(app, data.rebuildOntology.workflowId as string)).status).to.equal('completed');
    expect(codes(await app.graphql(REBUILD, { id: 'nothing' }))).to.deep.equal(['NOT_FOUND']);
  });

  it('accepts an event and reads it', async () => {
    const { id, receipt } = await reader();
    const object = await makeEntry(app);
    const sent = await app.graphql(INGEST, { input: event(id, object, { properties: { a: 1 } }) });
    const { eventId, status, sequence, statusUrl } = sent.data.ingestEvent;
    expect([status, sequence, statusUrl]).to.deep.equal(['ACCEPTED', 1, `/v1/events/${eventId}`]);
    await settled(app, eventId as string);
    const { data } = await app.graphql(EVENT, { id: eventId });
    const content = { eventType: 'purchased', consentPurpose: 'PERSONALIZATION', properties: { a: 1 } };
    expect(data.event).to.deep.equal({ eventId, status: 'PROCESSED', sequence: 1, ...content });
    expect(codes(await other.graphql(EVENT, { id: eventId }))).to.deep.equal(['NOT_FOUND']);
    await revoke(app, receipt);
    const closed = await app.graphql(EVENT, { id: eventId });
    expect(closed.errors).to.deep.equal([]);
    expect(closed.data.event).to.deep.include({ eventType: null, consentPurpose: null, properties: null });
  });

  it('refuses events: bounds, references, gate, scope', async () => {
    const { id } = await reader();
    const object = await makeEntry(app);
    const bad = await app.graphql(INGEST, { input: event(id, object, { eventType: 'No!', confidence: 7 }) });
    expect(fields(bad)).to.have.members(['eventType', 'confidence']);
    const unknown = await app.graphql(INGEST, { input: event('cus_x', 'nothing') });
    expect(codes(unknown)).to.deep.equal(['VALIDATION_FAILED']);
    const gated = await app.graphql(INGEST, { input: event(id, object, { consentPurpose: 'ANALYTICS' }) });
    expect([codes(gated), gated.errors[0]?.extensions['purpose']]).to.deep.equal([
      ['CONSENT_DENIED'],
      'ANALYTICS',
    ]);
    const narrow = await service.narrowed(app, 'events:read');
    expect(codes(await narrow.graphql(INGEST, { input: event(id, object) }))).to.deep.equal([
      'INSUFFICIENT_SCOPE',
    ]);
  });

  it('accepts the valid items of a batch', async () => {
    const { id } = await reader();
    const object = await makeEntry(app);
    const events = [event(id, object), event(id, object, { confidence: 3 }), event(id, object)];
    const { data } = await app.graphql(INGEST_ALL, { input: { events } });
    expect([data.ingestEvents.accepted, data.ingestEvents.rejected]).to.deep.equal([2, 1]);
    expect(data.ingestEvents.data[1]).to.deep.equal({
      index: 1,
      eventId: null,
      status: 'REJECTED',
      error: { code: 'validation_failed', details: [{ field: 'confidence' }] },
    });
  });

  it('is the same batch as in REST with the same key, whatever is wrong with its items', async () => {
    const { id } = await reader();
    const object = await makeEntry(app);
    const good = { ...event(id, object), occurredAt: '2026-01-02T03:04:05.000Z' };
    const items = [
      good,
      { ...good, eventType: 'BAD TYPE', properties: { someName: 1 } },
      { ...good, eventKey: 'nul\0' },
      { ...good, customerId: 'cus_nobody' },
      { ...good, confidence: 3, occurredAt: '2026-01-02T04:04:05+01:00' },
    ];
    const body = { events: items.map((item) => inRestNames(item)) };
    const inGraphql = ['eventType', 'eventKey', 'customerId', 'confidence'];
    const inRest = ['event_type', 'event_key', 'customer_id', 'confidence'];
    for (const first of ['graphql', 'rest']) {
      const key = `same-batch-${first}-first`;
      const throughGraphql = async (): Promise<void> => {
        const { data, errors } = await app.graphql(INGEST_ALL, { key, input: { events: items } });
        expect(errors).to.deep.equal([]);
        expect(fieldsOfItems(data.ingestEvents)).to.deep.equal(inGraphql);
      };
      const throughRest = async (): Promise<void> => {
        const answer = await app.rest('POST', '/v1/events/batch', body, { 'idempotency-key': key });
        expect(fieldsOfItems(expectStatus(answer, 202))).to.deep.equal(inRest);
        expect(answer.headers.get('idempotent-replayed')).to.equal(first === 'graphql' ? 'true' : null);
      };
      const doors = [throughGraphql, throughRest];
      for (const send of first === 'graphql' ? doors : doors.toReversed()) await send();
    }
  });

  it('names the fields of claims in its own spelling, the nested ones too', async () => {
    const time = '2026-01-02T03:04:05.000Z';
    const claim = {
      customerId: 'cus_nobody',
      attribute: 'favourite_genre',
      value: 'crime',
      source: 'till',
      observedAt: time,
      consentPurpose: 'PERSONALIZATION',
      confidence: 0.9,
      provenance: { sourcePartner: 'Harbour Books', collectedAt: time },
    };
    const bad = { ...claim, provenance: { ...claim.provenance, evidenceUrl: 'no uri' } };
    const { data } = await app.graphql(
      `mutation ($key: String!, $input: IngestClaimsInput!) {
        ingestClaims(idempotencyKey: $key, input: $input) { data { error { details { field } } } } }`,
      { input: { claims: [claim, bad] } },
    );
    expect(fieldsOfItems(data.ingestClaims)).to.deep.equal(['customerId', 'provenance.evidenceUrl']);
  });

  it('reads intents, by root and through the customer, behind the gate', async () => {
    const { id, receipt } = await reader();
    const object = await makeEntry(app);
    const { event_id } = expectStatus(await app.rest('POST', '/v1/events', eventBody(id, object)), 202);
    await settled(app, event_id as string);
    const { data } = await app.graphql(INTENTS, { id, purpose: 'PERSONALIZATION' });
    const [intent] = data.intents.nodes;
    expect(intent).to.deep.include({ category: 'OUTCOME', object, consentPurpose: 'PERSONALIZATION' });
    const evidence = {
      attribute: 'event.purchased',
      value: object,
      provenance: { sourcePartner: 'Harbour Books' },
    };
    expect(intent.evidence).to.deep.equal([evidence]);
    expect(data.customer.intents.edges).to.deep.equal([{ node: { id: intent.id } }]);
    expect((await app.graphql(INTENTS, { id, category: 'HABIT' })).data.intents.nodes).to.deep.equal([]);

    const narrow = await service.narrowed(app, 'customers:read');
    const denied = await narrow.graphql(INTENTS, { id });
    expect(denied.data).to.deep.equal({ intents: null, customer: { intents: null } });
    expect(codes(denied)).to.deep.equal(['INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE']);
    await revoke(app, receipt);
    const closed = await app.graphql(INTENTS, { id, purpose: 'PERSONALIZATION' });
    expect(closed.data).to.deep.equal({ intents: null, customer: { intents: null } });
    expect(codes(closed)).to.deep.equal(['CONSENT_DENIED', 'CONSENT_DENIED']);
    expect(codes(await other.graphql(INTENTS, { id }))).to.deep.equal(['NOT_FOUND', 'NOT_FOUND']);
  });
});
