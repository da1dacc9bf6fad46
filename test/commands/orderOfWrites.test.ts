import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { toSlots } from '../../src/domain/catalog/entryFields.js';
import { BOOK, eventBody, makeEntry, putBooks } from '../support/ingestRecords.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const AHEAD_MS = 20_000;

describe('Writes that wait for others', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    await putBooks(service);
  });
  after(() => service.stop());

  /** Runs `work` while a transaction holds what the statement locks. */
  async function whileHeld(lock: string, values: unknown[], work: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: service.database.ownerUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(lock, values);
      await work();
    } finally {
      await client.end();
    }
  }

  async function untilWaiting(count: number): Promise<void> {
    const waiting = 'SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0';
    while ((await service.sql(waiting)).length < count) await sleep(10);
  }

  it('keep a field of a newer version of the ontology that was written meanwhile', async () => {
    const ontology = 'growing';
    const put = async (version: string, names: string[]): Promise<void> => {
      const fields = names.map((name) => ({ name, type: 'string' }));
      const body = { name: 'Growing', version, fields, identity_fields: [] };
      const { status, text } = await service.admin.rest('PUT', `/v1/ontologies/${ontology}`, body);
      expect(status, text).to.be.within(200, 201);
    };
    await put('1', ['size']);
    const post = (fields: object): Promise<Answer> =>
      app.rest('POST', '/v1/entries', { ontology, ...fields });
    expectStatus(await post({ entry_id: 'model' }), 201);
    let waiting: Promise<Answer> | undefined;
    const locked = `SELECT FROM entry_indexes WHERE app_id = $1 AND ontology_id = '${ontology}' FOR UPDATE`;
    await whileHeld(locked, [app.appId], async () => {
      // It found no such entry, and waits to make it. Another process makes it, with a field of version 2.
      waiting = post({ entry_id: 'sail', entry_name: 'Sail' });
      await untilWaiting(1);
      await put('2', ['size', 'color']);
      const [{ fields }] = await service.sql('SELECT fields FROM ontologies WHERE ontology_id = $1', [
        ontology,
      ]);
      await service.sql(
        `INSERT INTO entries SELECT (jsonb_populate_record(e, $2::jsonb)).* FROM entries e
          WHERE app_id = $1 AND entry_id = 'model'`,
        [app.appId, { entry_id: 'sail', fields: toSlots(fields, { color: 'red' }) }],
      );
    });
    expect((await waiting)?.status).to.equal(200);
    const { body } = await app.rest('GET', '/v1/entries/sail');
    expect(body).to.include({ entry_name: 'Sail' });
    expect(body.fields).to.deep.equal({ color: 'red' });
  });

  const changed: [string, () => Promise<(change: number) => Promise<{ updated_at: string }>>][] = [
    [
      'a customer',
      async () => {
        const id = await makeCustomer(app);
        return async (change) =>
          expectStatus(await app.rest('PATCH', `/v1/customers/${id}`, { metadata: { change } }), 200);
      },
    ],
    [
      'a customer that is created again',
      async () => {
        const fields = { external_id: `again-${Math.random()}` };
        return async (change) => {
          const { body } = await app.rest('POST', '/v1/customers', { ...fields, metadata: { change } });
          return body.customer;
        };
      },
    ],
    [
      'an entry',
      async () => {
        const id = await makeEntry(app, { isbn: 'later' });
        const fields = { isbn: 'later', title: 'Emma' };
        return async (pages) => {
          const body = { ontology: BOOK, fields: { ...fields, pages } };
          return expectStatus(await app.rest('PUT', `/v1/entries/${id}`, body), 200).entry;
        };
      },
    ],
    [
      'an app',
      async () => async (change) =>
        expectStatus(await app.rest('PATCH', `/v1/apps/${app.appId}`, { name: `Books ${change}` }), 200),
    ],
    [
      'an app whose secret is rotated',
      async () => async () => {
        const path = `/v1/apps/${app.appId}/rotate-secret`;
        return expectStatus(await app.rest('POST', path, {}), 200).app;
      },
    ],
    [
      'a webhook endpoint',
      async () => {
        const body = { url: 'https://partner.example/hook', enabled_events: ['*'] };
        const { endpoint } = expectStatus(await app.rest('POST', '/v1/webhook-endpoints', body), 201);
        return async (change) => {
          const url = `https://partner.example/hook/${change}`;
          return expectStatus(await app.rest('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { url }), 200);
        };
      },
    ],
    [
      'a webhook endpoint whose secret is rotated',
      async () => {
        const body = { url: 'https://partner.example/hook', enabled_events: ['*'] };
        const { endpoint } = expectStatus(await app.rest('POST', '/v1/webhook-endpoints', body), 201);
        const path = `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`;
        return async () => expectStatus(await app.rest('POST', path), 200).endpoint;
      },
    ],
  ];
  for (const [what, make] of changed)
    it(`have a later time of change than those before, whichever clock those had: ${what}`, async () => {
      const change = await make();
      const { services } = service;
      const { clock } = services;
      try {
        services.clock = () => new Date(clock().getTime() + AHEAD_MS);
        const { updated_at: first } = await change(1);
        services.clock = clock;
        const { updated_at: second } = await change(2);
        expect(Date.parse(second)).to.be.greaterThan(Date.parse(first));
      } finally {
        services.clock = clock;
      }
    });

  it('give an event its id in the order of acceptance, so that a list oldest first skips none', async () => {
    const object = await makeEntry(app);
    const [slow = '', ...others] = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(app)));
    for (const customer of [slow, ...others]) await grant(app, customer, 'personalization');
    const send = async (customer: string): Promise<string> =>
      expectStatus(await app.rest('POST', '/v1/events', eventBody(customer, object)), 202).event_id as string;
    const ids: string[] = [];
    let last: Promise<string> | undefined;
    const locked = 'SELECT FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR UPDATE';
    await whileHeld(locked, [app.appId, slow], async () => {
      last = send(slow);
      await untilWaiting(1);
      for (const customer of others) ids.push(await send(customer));
    });
    ids.push((await last) ?? '');
    const { body } = await app.rest('GET', '/v1/events?order=oldest_first');
    expect(
      body.data.map((event: { id?: string; event_id?: string }) => event.id ?? event.event_id),
    ).to.deep.equal(ids);
  });

  it('register no more webhook endpoints than an app may have', async () => {
    const few = await service.makeApp();
    const body = { url: 'https://partner.example/hook', enabled_events: ['entry.created'] };
    expectStatus(await few.rest('POST', '/v1/webhook-endpoints', body), 201);
    await service.sql(
      `INSERT INTO webhook_endpoints SELECT (jsonb_populate_record(e, jsonb_build_object('endpoint_id', 'whe_' || n))).*
         FROM webhook_endpoints e, generate_series(2, 498) n WHERE e.app_id = $1`,
      [few.appId],
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => few.rest('POST', '/v1/webhook-endpoints', body)),
    );
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([
      201, 201, 409, 409, 409, 409, 409, 409,
    ]);
  });
});
