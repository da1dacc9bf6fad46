import { expect } from 'chai';
import { eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import { expectStatus, finished, grant, makeCustomer, revoke } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

describe('events over REST', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;
  let book: string;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    other = await service.makeApp();
    book = await makeEntry(app);
  });

  after(() => service.stop());

  async function reader(...purposes: string[]): Promise<{ id: string; receipt: string }> {
    const id = await makeCustomer(app);
    return { id, receipt: await grant(app, id, ...(purposes.length === 0 ? ['personalization'] : purposes)) };
  }

  describe('POST /v1/events', () => {
    it('accepts an event with the defaults, which is then processed', async () => {
      const { id } = await reader();
      const answer = await app.rest('POST', '/v1/events', eventBody(id, book));
      const accepted = expectStatus(answer, 202);
      expect(accepted).to.include({
        status: 'accepted',
        sequence: 1,
        status_url: `/v1/events/${accepted.event_id}`,
      });
      expect(accepted.event_id).to.match(/^evt_[0-9a-z]{26}$/);
      expect(accepted.accepted_at).to.match(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
      expect(answer.headers.get('location')).to.equal(accepted.status_url);

      const event = await settled(app, accepted.event_id as string);
      expect(event).to.deep.include({
        event_id: accepted.event_id,
        status: 'processed',
        sequence: 1,
        customer_id: id,
        event_type: 'purchased',
        object: book,
        consent_purpose: 'personalization',
        occurred_at: '2026-01-02T03:04:05.000Z',
        source: 'Harbour Books',
        confidence: 1,
        accepted_at: accepted.accepted_at,
      });
      expect(event).to.not.have.any.keys('error', 'intent_category', 'properties', 'event_key');
    });

    it('numbers events and claims of a customer in one series without gaps', async () => {
      const { id } = await reader();
      const send = (): Promise<number> =>
        app.rest('POST', '/v1/events', eventBody(id, book)).then(({ body }) => body.sequence as number);
      const sequences = await Promise.all(Array.from({ length: 20 }, send));
      expect(sequences.toSorted((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    });

    it('answers a repeat of an event_key with the first event, and 409 to another payload', async () => {
      const { id } = await reader();
      const body = eventBody(id, book, { event_key: 'order-1', properties: { b: 1, a: 2 } });
      const first = expectStatus(await app.rest('POST', '/v1/events', body), 202);
      await settled(app, first.event_id as string);
      const again = expectStatus(
        await app.rest('POST', '/v1/events', { ...body, properties: { a: 2, b: 1 } }),
        202,
      );
      expect(again).to.deep.equal({ ...first, status: 'processed' });
      const { error } = expectStatus(await app.rest('POST', '/v1/events', { ...body, confidence: 0.5 }), 409);
      expect(error.code).to.equal('conflict');
      const elsewhere = await reader();
      expectStatus(await app.rest('POST', '/v1/events', { ...body, customer_id: elsewhere.id }), 202);
    });

    it('keeps an event_key while the app may not use the purpose of its event', async () => {
      const narrowing = await service.makeApp();
      const id = await makeCustomer(narrowing);
      await grant(narrowing, id, 'personalization', 'analytics');
      const body = eventBody(id, await makeEntry(narrowing), { event_key: 'order-1' });
      const first = expectStatus(await narrowing.rest('POST', '/v1/events', body), 202);
      await settled(narrowing, first.event_id as string);
      const path = `/v1/apps/${narrowing.appId}`;
      expectStatus(await narrowing.rest('PATCH', path, { allowed_consent_purposes: ['analytics'] }), 200);
      const other = { ...body, consent_purpose: 'analytics' };
      const { error } = expectStatus(await narrowing.rest('POST', '/v1/events', other), 409);
      expect(error.details[0].code).to.equal('event_key_used');
      expectStatus(await narrowing.rest('PATCH', path, { allowed_consent_purposes: null }), 200);
      const again = expectStatus(await narrowing.rest('POST', '/v1/events', body), 202);
      expect(again).to.deep.equal({ ...first, status: 'processed' });
    });

    it('accepts one of several simultaneous repeats', async () => {
      const { id } = await reader();
      const body = eventBody(id, book, { event_key: 'race' });
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => app.rest('POST', '/v1/events', body)),
      );
      expect(new Set(answers.map((answer) => answer.body.event_id)).size).to.equal(1);
      const [head] = await service.sql('SELECT sequence FROM customer_heads WHERE customer_id = $1', [id]);
      expect(Number(head.sequence)).to.equal(1);
    });

    it('replays under the same Idempotency-Key', async () => {
      const { id } = await reader();
      const headers = { 'idempotency-key': freshKey() };
      const first = await app.rest('POST', '/v1/events', eventBody(id, book), headers);
      const again = await app.rest('POST', '/v1/events', eventBody(id, book), headers);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(again.body).to.deep.equal(first.body);
    });

    it('refuses unknown references before the gate, and the gate before a used key', async () => {
      const id = await makeCustomer(app);
      const unknown = expectStatus(
        await app.rest('POST', '/v1/events', eventBody('cus_nobody', 'nothing')),
        422,
      );
      const documentation_url = `${service.url}/docs/errors#unknown_reference`;
      expect(unknown.error.details).to.deep.equal([
        {
          code: 'unknown_reference',
          message: 'is not a customer of this app',
          field: 'customer_id',
          documentation_url,
        },
        {
          code: 'unknown_reference',
          message: 'is not an entry of this app',
          field: 'object',
          documentation_url,
        },
      ]);
      const closed = expectStatus(await app.rest('POST', '/v1/events', eventBody(id, book)), 403);
      expect(closed.error.code).to.equal('consent_denied');
      const foreign = await makeEntry(other);
      const granted = await reader();
      expectStatus(await app.rest('POST', '/v1/events', eventBody(granted.id, foreign)), 422);
      expectStatus(await other.rest('POST', '/v1/events', eventBody(granted.id, foreign)), 422);
    });

    it('refuses a malformed body with all problems, and a missing scope', async () => {
      const body = {
        event_type: 'Bought it',
        consent_purpose: 'fun',
        occurred_at: 'now',
        confidence: 2,
        extra: 1,
      };
      const { error } = expectStatus(await app.rest('POST', '/v1/events', body), 422);
      expect(error.details.map((detail: { field: string }) => detail.field)).to.have.members([
        'customer_id',
        'object',
        'event_type',
        'consent_purpose',
        'occurred_at',
        'confidence',
        'extra',
      ]);
      expectStatus(await app.rest('POST', '/v1/events', '{"a":'), 400);
      const narrow = await service.narrowed(app, 'events:read');
      expectStatus(await narrow.rest('POST', '/v1/events', body), 403);
      expectStatus(await narrow.rest('POST', '/v1/events/batch', { events: [] }), 403);
    });
  });

  describe('POST /v1/events/batch', () => {
    it('decides each item separately, in order', async () => {
      const { id } = await reader();
      const good = (key: string): Record<string, unknown> => eventBody(id, book, { event_key: key });
      const events = [
        good('a'),
        { ...good('x'), consent_purpose: 'analytics' },
        good('b'),
        'not an object',
        good('a'),
        { ...good('a'), confidence: 0 },
        { ...good('c'), object: 'nothing' },
        { ...good('d'), ocurred_at: 'x' },
        { ...good('e'), occurred_at: '2016-12-31T23:59:60+24:00' },
      ];
      const { accepted, rejected, data } = expectStatus(
        await app.rest('POST', '/v1/events/batch', { events }),
        202,
      );
      expect([accepted, rejected]).to.deep.equal([3, 6]);
      expect(data.map((item: { index: number }) => item.index)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect(data[0]).to.deep.equal({
        index: 0,
        event_id: data[0].event_id,
        sequence: 1,
        status: 'accepted',
      });
      expect(data[2].sequence).to.equal(2);
      expect(data[4]).to.deep.equal({ ...data[0], index: 4 });
      const codes = data.map((item: { error?: { code: string } }) => item.error?.code);
      expect(codes).to.deep.equal([
        undefined,
        'consent_denied',
        undefined,
        'validation_failed',
        undefined,
        'conflict',
        'validation_failed',
        'validation_failed',
        'validation_failed',
      ]);
      expect(data[1]).to.include({ status: 'rejected' }).and.to.not.have.property('event_id');
      expect(data[6].error.details[0].field).to.equal('object');
      for (const { error } of data.filter((item: { error?: object }) => item.error !== undefined)) {
        expect(error.documentation_url).to.match(new RegExp(`^http.*/docs/errors#${error.code}$`));
        for (const { code, documentation_url: page } of error.details ?? [])
          expect(page).to.match(new RegExp(`^http.*/docs/errors#${code}$`));
      }
    });

    it('accepts 1 to 500 events', async () => {
      expectStatus(await app.rest('POST', '/v1/events/batch', { events: [] }), 422);
      expectStatus(await app.rest('POST', '/v1/events/batch', { events: Array(501).fill({}) }), 422);
      const { id } = await reader();
      const events = Array.from({ length: 500 }, () => eventBody(id, book));
      const { accepted, data } = expectStatus(await app.rest('POST', '/v1/events/batch', { events }), 202);
      expect(accepted).to.equal(500);
      expect(data.at(-1).sequence).to.equal(500);
      expect((await settled(app, data.at(-1).event_id as string)).status).to.equal('processed');
    });
  });

  describe('GET /v1/events/{id}', () => {
    it('answers 404 for an unknown and a foreign event, 403 without the scope', async () => {
      const { id } = await reader();
      const { event_id } = expectStatus(await app.rest('POST', '/v1/events', eventBody(id, book)), 202);
      expectStatus(await app.rest('GET', '/v1/events/evt_unknown'), 404);
      expectStatus(await other.rest('GET', `/v1/events/${event_id}`), 404);
      const narrow = await service.narrowed(app, 'events:write');
      expectStatus(await narrow.rest('GET', `/v1/events/${event_id}`), 403);
    });

    it('hides the content as soon as the purpose is revoked, permanently', async () => {
      const { id, receipt } = await reader();
      const body = eventBody(id, book, { properties: { note: 'secret' }, event_key: 'closed' });
      const { event_id } = expectStatus(await app.rest('POST', '/v1/events', body), 202);
      await settled(app, event_id as string);
      const workflow = await revoke(app, receipt);
      const shown = ['event_id', 'status', 'sequence', 'accepted_at', 'processed_at'];
      expect(await settled(app, event_id as string)).to.have.all.keys(shown);
      await finished(app, workflow);
      const [row] = await service.sql('SELECT * FROM events WHERE event_id = $1', [event_id]);
      expect([row.payload, row.object, row.event_type, row.occurred_at]).to.deep.equal([
        null,
        null,
        null,
        null,
      ]);

      await grant(app, id, 'personalization');
      expect(await settled(app, event_id as string)).to.have.all.keys(shown);
      const again = expectStatus(await app.rest('POST', '/v1/events', body), 202);
      expect(again.event_id).to.not.equal(event_id);
    });

    it('shows an accepted event rejected when consent was withdrawn before it was processed', async () => {
      const { id, receipt } = await reader('personalization', 'analytics');
      await service.sql(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.customer_id = TG_ARGV[0] AND NEW.status = 'processed' THEN RAISE EXCEPTION 'held'; END IF; RETURN NEW; END $$`);
      await service.sql(
        `CREATE TRIGGER hold BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION hold('${id}')`,
      );
      const { event_id } = expectStatus(await app.rest('POST', '/v1/events', eventBody(id, book)), 202);
      const workflow = await finished(app, await revoke(app, receipt, 'personalization'));
      await service.sql('DROP TRIGGER hold ON events');
      expect(workflow.status).to.equal('completed');
      const event = await settled(app, event_id as string);
      expect(event).to.deep.include({ status: 'rejected', sequence: 1 });
      expect(event.error.code).to.equal('consent_denied');
      const [waiting] = await service.sql('SELECT count(*)::int AS n FROM inbox WHERE customer_id = $1', [
        id,
      ]);
      expect(waiting.n).to.equal(0);
    });
  });

  describe('GET /v1/profiles/{customer_id}/intents', () => {
    const list = async (id: string, query = ''): Promise<Record<string, unknown>[]> =>
      expectStatus(await app.rest('GET', `/v1/profiles/${id}/intents${query}`), 200).data as Record<
        string,
        unknown
      >[];

    const evidenceOf = (intent: Record<string, unknown> | undefined): Record<string, unknown>[] =>
      (intent?.['evidence'] ?? []) as Record<string, unknown>[];

    const shownBy = (intent: Record<string, unknown> | undefined): unknown[] =>
      evidenceOf(intent).map((claim) => claim['id']);

    async function send(id: string, ...fields: Record<string, unknown>[]): Promise<void> {
      const events = fields.map((own) => eventBody(id, book, own));
      const { data } = expectStatus(await app.rest('POST', '/v1/events/batch', { events }), 202);
      await settled(app, data.at(-1).event_id as string);
    }

    it('shows one intent per purpose, category and object, with its events as evidence', async () => {
      const { id } = await reader();
      await send(
        id,
        { source: 'till', confidence: 0.9 },
        { event_type: 'subscribed' },
        { event_type: 'viewed' },
      );
      const [intent, ...others] = await list(id);
      expect(others).to.deep.equal([]);
      expect(intent).to.deep.include({
        category: 'outcome',
        object: book,
        consent_purpose: 'personalization',
      });
      expect(intent?.['confidence']).to.be.within(0, 1);
      const evidence = evidenceOf(intent);
      expect(evidence.map(({ attribute }) => attribute)).to.have.members([
        'event.purchased',
        'event.subscribed',
      ]);
      expect(evidence.find(({ attribute }) => attribute === 'event.purchased')).to.deep.include({
        customer_id: id,
        value: book,
        source: 'till',
        observed_at: '2026-01-02T03:04:05.000Z',
        confidence: 0.9,
        provenance: { source_partner: 'Harbour Books', collected_at: '2026-01-02T03:04:05.000Z' },
      });
      await send(id, { event_type: 'converted' });
      const [updated] = await list(id);
      expect(updated?.['id']).to.equal(intent?.['id']);
      expect(updated?.['evidence']).to.have.length(3);
    });

    it('uses the category of an event, and finds a habit by its days', async () => {
      const { id } = await reader();
      await send(id, { intent_category: 'affiliate' });
      for (const day of ['05', '05', '20']) {
        await send(id, { event_type: 'visited', occurred_at: `2026-01-${day}T10:00:00Z` });
      }
      expect((await list(id)).map(({ category }) => category)).to.deep.equal(['affiliate']);
      await send(id, { event_type: 'visited', occurred_at: '2026-02-03T10:00:00Z' });
      expect((await list(id)).map(({ category }) => category)).to.deep.equal(['habit', 'affiliate']);
      expect(await list(id, '?category=habit')).to.have.length(1);
      expect(await list(id, '?category=outcome')).to.have.length(0);
    });

    it('finds intents and habits on a busy object, also of events that are reported late', async () => {
      const { id } = await reader();
      const views = (day: string, count: number) =>
        Array.from({ length: count }, (_, at) => ({
          event_type: 'viewed',
          occurred_at: new Date(Date.parse(`2026-01-${day}T10:00:00Z`) + at * 1000).toISOString(),
        }));
      await send(id, ...views('20', 210));
      await send(id, { occurred_at: '2026-01-19T10:00:00Z' });
      const [late, ...others] = await list(id);
      expect([late?.['category'], others]).to.deep.equal(['outcome', []]);
      await send(id, ...views('05', 1));
      await send(id, { event_type: 'visited', occurred_at: '2025-12-22T23:00:00Z' });
      expect(await list(id), 'two days').to.have.length(1);
      await send(id, ...views('21', 210));
      const habit = evidenceOf((await list(id, '?category=habit'))[0]);
      expect(habit).to.have.length(20);
      expect(habit[0]?.['observed_at']).to.equal('2026-01-21T10:03:29.000Z');
      await send(id, { occurred_at: '2026-01-18T10:00:00Z' });
      const outcome = evidenceOf((await list(id, '?category=outcome'))[0]);
      expect(outcome.map(({ observed_at }) => observed_at)).to.deep.equal([
        '2026-01-19T10:00:00.000Z',
        '2026-01-18T10:00:00.000Z',
      ]);
    });

    it('is gated by the purpose, paged, and empty after a new grant', async () => {
      const { id, receipt } = await reader();
      await send(id, {}, { event_type: 'liked' });
      const page = expectStatus(await app.rest('GET', `/v1/profiles/${id}/intents?limit=1`), 200);
      expect(page.pagination.has_more).to.equal(true);
      const denied = await app.rest('GET', `/v1/profiles/${id}/intents?consent_purpose=analytics`);
      expect(expectStatus(denied, 403).error.code).to.equal('consent_denied');
      const workflow = await revoke(app, receipt);
      expect(await list(id)).to.deep.equal([]);
      await grant(app, id, 'personalization');
      expect(await list(id)).to.deep.equal([]);
      await finished(app, workflow);
      const [left] = await service.sql('SELECT count(*)::int AS n FROM intents WHERE customer_id = $1', [id]);
      expect(left.n).to.equal(0);
    });

    it('lists the newest twenty events of an intent, newest first', async () => {
      const { id } = await reader();
      const days = Array.from({ length: 25 }, (_, at) => String(1 + ((at * 7) % 25)).padStart(2, '0'));
      await send(id, ...days.map((day) => ({ occurred_at: `2026-01-${day}T10:00:00Z` })));
      const [intent] = await list(id, '?category=outcome');
      const outcome = evidenceOf(intent);
      expect(outcome.map(({ observed_at }) => observed_at)).to.deep.equal(
        Array.from({ length: 20 }, (_, at) => `2026-01-${String(25 - at).padStart(2, '0')}T10:00:00.000Z`),
      );
      const { data } = expectStatus(await app.rest('GET', `/v1/events?customer_id=${id}&limit=100`), 200);
      const eventOf = new Map(data.map((event: Record<string, unknown>) => [event['event_id'], event]));
      for (const { id: eventId, observed_at } of outcome) {
        expect(eventOf.get(eventId)).to.deep.include({ occurred_at: observed_at });
      }
    });

    it('shows of an intent only events of its customer, purpose, object and epoch', async () => {
      const { id, receipt } = await reader('personalization', 'analytics');
      await send(id, { event_type: 'liked' });
      const workflow = await revoke(app, receipt);
      await finished(app, workflow);
      await grant(app, id, 'personalization', 'analytics');
      const { id: stranger } = await reader();
      await send(stranger, {}, {}, {}, {}, {}, {});
      await send(id, { consent_purpose: 'analytics' }, { object: await makeEntry(app) }, {});
      const own = await list(id, '?consent_purpose=personalization');
      const shown = own.map(shownBy);
      expect(shown.map((ids) => ids.length)).to.deep.equal([1, 1]);
      await service.sql(`UPDATE intents SET events = '{6,5,4,3,2,1}' WHERE customer_id = $1`, [id]);
      // As if the cascade had not reached the event of the closed epoch.
      await service.sql(
        `UPDATE events closed SET event_type = open.event_type, object = open.object, payload = open.payload,
           occurred_at = open.occurred_at
           FROM events open
          WHERE closed.app_id = open.app_id AND closed.customer_id = $1 AND closed.sequence = 1
            AND open.customer_id = $1 AND open.sequence = 4`,
        [id],
      );
      const still = await list(id, '?consent_purpose=personalization');
      expect(still.map(shownBy)).to.deep.equal(shown);
    });

    it('shows the claims that a version before stored, until an event is added', async () => {
      const { id } = await reader();
      await send(id, {}, {});
      const [intent] = await list(id);
      const told = { id: 'evt_told', customerId: id, attribute: 'event.purchased', value: book };
      const at = '2026-01-01T00:00:00.000Z';
      const provenance = { sourcePartner: 'Harbour Books', collectedAt: at };
      const claim = { ...told, source: 's', observedAt: at, context: null, confidence: 1, provenance };
      const stored = JSON.stringify([{ ...claim, consentPurpose: 'personalization' }]);
      await service.sql('UPDATE intents SET evidence = $2 WHERE customer_id = $1', [id, stored]);
      const [before] = await list(id);
      expect(evidenceOf(before)).to.have.length(1);
      expect(evidenceOf(before)[0]).to.deep.include({ id: 'evt_told', observed_at: at });
      await send(id, {});
      const [after] = await list(id);
      expect(after?.['id']).to.equal(intent?.['id']);
      expect(shownBy(after)).to.have.length(3).and.not.include('evt_told');
    });

    it('refuses bad parameters, a missing scope, and an unknown or foreign customer', async () => {
      const { id } = await reader();
      expectStatus(await app.rest('GET', `/v1/profiles/${id}/intents?category=luck`), 400);
      expectStatus(await app.rest('GET', `/v1/profiles/${id}/intents?limit=101`), 400);
      const narrow = await service.narrowed(app, 'claims:read', 'profile:read');
      expectStatus(await narrow.rest('GET', `/v1/profiles/${id}/intents`), 403);
      expectStatus(await app.rest('GET', '/v1/profiles/cus_unknown/intents'), 404);
      expectStatus(await other.rest('GET', `/v1/profiles/${id}/intents`), 404);
    });
  });

  it('erases the events of a customer with the customer', async () => {
    const { id } = await reader();
    const { event_id } = expectStatus(
      await app.rest('POST', '/v1/events', eventBody(id, book, { event_key: 'gone' })),
      202,
    );
    await settled(app, event_id as string);
    expectStatus(await app.rest('DELETE', `/v1/customers/${id}`), 204);
    expectStatus(await app.rest('GET', `/v1/events/${event_id}`), 404);
    for (const table of ['events', 'event_keys', 'inbox', 'intents']) {
      const [left] = await service.sql(`SELECT count(*)::int AS n FROM ${table} WHERE customer_id = $1`, [
        id,
      ]);
      expect([table, left.n]).to.deep.equal([table, 0]);
    }
  });
});
