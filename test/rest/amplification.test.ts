import { expect } from 'chai';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';

const ITEMS = 500;

/** An answer may be so much larger than a small request, and so many times as large as a large one. */
const FLOOR_BYTES = 400 * 1024;
const FACTOR = 1.5;

describe('Refusals of a flood of invalid requests', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start({ REPLAY_STORAGE_MB: '1' });
    app = await service.makeApp();
  });
  after(() => service.stop());

  const junk = (members: number, name: (place: number) => string): string =>
    `{${Array.from({ length: members }, (_, place) => `${JSON.stringify(name(place))}:1`).join(',')}}`;
  const batch = (kind: 'events' | 'claims', item: string): Promise<Answer> =>
    app.rest(
      'POST',
      `/v1/${kind}/batch`,
      `{"${kind}":[${Array.from({ length: ITEMS }, () => item).join(',')}]}`,
    );

  async function expectBounded(sent: number, { text }: Answer): Promise<void> {
    expect(text.length, `${sent} bytes sent`).to.be.below(FLOOR_BYTES + FACTOR * sent);
    const [{ longest }] = (await service.sql(
      'SELECT max(length(result)) AS longest FROM idempotency_keys',
    )) as [Json];
    expect(longest ?? 0).to.be.below(FLOOR_BYTES + FACTOR * sent);
  }

  it('to whole batches stay in proportion to the request, as sent and as stored', async () => {
    for (const kind of ['events', 'claims'] as const)
      for (const item of [
        '{}',
        '1',
        junk(3, (place) => `k${place}`),
        junk(280, (place) => `member_${place}_of_a_bad_item`),
        junk(2, (place) => `${place}${'x'.repeat(3500)}`),
        junk(20, (place) => `${place}${'\u0001'.repeat(50)}`),
      ]) {
        app = await service.makeApp();
        const answer = await batch(kind, item);
        expect(expectStatus(answer, 202).rejected).to.equal(ITEMS);
        await expectBounded(item.length * ITEMS, answer);
      }
  });

  it('have a detail of every item, all of the first, and the number of omitted ones', async () => {
    app = await service.makeApp();
    const { data } = expectStatus(
      await batch(
        'events',
        junk(40, (place) => `k${place}`),
      ),
      202,
    );
    const errors = (data as Json[]).map(({ error }) => error);
    const problems = errors[0].details.length as number;
    expect(problems).to.be.greaterThan(40);
    expect(errors[0]).to.not.have.property('details_omitted');
    for (const { details, details_omitted: omitted = 0 } of errors) {
      expect(details.length).to.be.greaterThan(0);
      expect(details.length + omitted).to.equal(problems);
    }
    expect(errors.at(-1).details).to.have.length(1);
  });

  it('to single bodies stay small', async () => {
    const customer = await makeCustomer(app);
    for (const body of [
      junk(60_000, (place) => `a${place}`),
      junk(5, (place) => `${place}${'n'.repeat(100_000)}`),
      JSON.stringify({ metadata: { ['k'.repeat(50_000)]: '4111 1111 1111 1111' } }),
    ]) {
      const answer = await app.rest('PATCH', `/v1/customers/${customer}`, body);
      expectStatus(answer, 422);
      expect(answer.text.length).to.be.below(32 * 1024);
      for (const { field } of answer.body.error.details as Json[]) expect(field.length).to.be.at.most(200);
    }
  });

  it('fill the replay storage of their app and of no other, as metrics show', async () => {
    const [nonsense, other] = [await service.makeApp(), await service.makeApp()];
    app = nonsense;
    let answer = await batch('events', '{}');
    for (let times = 0; times < 20 && answer.status === 202; times += 1) answer = await batch('events', '{}');
    expect(expectStatus(answer, 429).error.code).to.equal('rate_limited');
    expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    expectStatus(await nonsense.rest('POST', '/v1/customers', { external_id: 'more' }), 429);
    expectStatus(await nonsense.rest('GET', '/v1/customers'), 200);
    expectStatus(await other.rest('POST', '/v1/customers', { external_id: 'more' }), 201);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(Number(/^idempotency_stored_bytes_total (\d+)/m.exec(metrics)?.[1])).to.be.greaterThan(
      1024 * 1024,
    );
    expect(Number(/^idempotency_storage_refused_total (\d+)/m.exec(metrics)?.[1])).to.equal(2);
  });

  it('are counted over all processes, even later ones, and do not block revocations', async () => {
    const full = await service.makeApp();
    app = full;
    const receipt = await grant(full, await makeCustomer(full), 'support');
    const urls = [service.url, await service.addNode()];
    // Each alone would stay below its bound; a process that counted for itself would take as much again.
    let accepted = 0;
    for (let status = 202; status === 202; accepted += 1) {
      app = full.at(urls[accepted % 2] ?? '');
      ({ status } = await batch('events', '{}'));
      await service.services.replayStorage.tell();
    }
    const fresh = full.at(await service.addNode());
    expectStatus(await fresh.rest('POST', '/v1/customers', { external_id: 'later' }), 429);
    expectStatus(await fresh.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {}), 202);
  });
});
