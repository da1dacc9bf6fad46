import { expect } from 'chai';
import type { Database } from '../../src/database/Database.js';
import type { Notices, NoticeHandler } from '../../src/database/Notices.js';
import { PendingChanges } from '../../src/graphql/live/PendingChanges.js';
import { LiveChanges } from '../../src/live/LiveChanges.js';
import { collectGarbage } from '../support/collectGarbage.js';
import { LiveClient } from '../support/LiveClient.js';
import { expectStatus } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const DELIVERY =
  'subscription ($id: ID!) { webhookDeliveryChanged(endpointId: $id) { id status attempts { attempt } } }';
const MINUTE_MS = 60_000;

describe('After notices were lost', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
  });
  after(() => service.stop());

  async function makeEndpoint(): Promise<string> {
    const url = 'http://127.0.0.1:9/hook';
    const body = { url, enabled_events: ['*'] };
    return expectStatus(await app.rest('POST', '/v1/webhook-endpoints', body), 201).endpoint.id as string;
  }

  async function makeDelivery(endpoint: string): Promise<string> {
    const path = `/v1/webhook-endpoints/${endpoint}/test`;
    return expectStatus(await app.rest('POST', path), 202).delivery_id as string;
  }

  /** Changes deliveries without a notice. */
  async function changeSilently(ids: readonly string[], at: Date): Promise<void> {
    await service.sql('ALTER TABLE webhook_deliveries DISABLE TRIGGER USER');
    await service.sql('UPDATE webhook_deliveries SET updated_at = $2 WHERE delivery_id = ANY ($1)', [
      ids,
      at,
    ]);
    await service.sql('ALTER TABLE webhook_deliveries ENABLE TRIGGER USER');
  }

  const loseNotices = (): Promise<unknown> =>
    service.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'consent-notices' AND datname = current_database()`,
    );

  const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

  it('a changed delivery is told without any further change', async () => {
    const endpoint = await makeEndpoint();
    const delivery = await makeDelivery(endpoint);
    await changeSilently([delivery], ago(60));
    const client = await LiveClient.open(app, DELIVERY, { id: endpoint });
    const tells = (id: string) => (seen: LiveClient) =>
      seen.results.some(({ data }) => data.webhookDeliveryChanged?.id === id);
    await client.until(tells(await makeDelivery(endpoint)));
    await changeSilently([delivery], new Date());
    await loseNotices();
    await client.until(tells(delivery));
    client.close();
  });

  it('a subscription to a deleted endpoint ends', async () => {
    const endpoint = await makeEndpoint();
    const client = await LiveClient.open(app, DELIVERY, { id: endpoint });
    const delivery = await makeDelivery(endpoint);
    await client.until(({ results }) =>
      results.some(({ data }) => data.webhookDeliveryChanged?.id === delivery),
    );
    await service.sql('ALTER TABLE webhook_endpoints DISABLE TRIGGER USER');
    await service.sql('DELETE FROM webhook_endpoints WHERE endpoint_id = $1', [endpoint]);
    await service.sql('ALTER TABLE webhook_endpoints ENABLE TRIGGER USER');
    await loseNotices();
    await client.until(({ results }) => results.at(-1)?.errors !== undefined);
    expect(client.results.at(-1)?.errors?.[0]?.extensions?.code).to.equal('NOT_FOUND');
    client.close();
  });

  it('a new subscription that is told to look while it begins tells later changes alone', async () => {
    const endpoint = await makeEndpoint();
    await makeDelivery(endpoint);
    const { database } = service.services;
    const slow = Object.create(database) as Database;
    let looks = 0;
    slow.readAs = async <T extends object>(...query: Parameters<Database['readAs']>) => {
      looks += 1;
      const isFirst = looks === 1;
      const rows = await database.readAs<T>(...query);
      if (isFirst) await new Promise((wake) => setTimeout(wake, 100));
      return rows;
    };
    const topic = { kind: 'delivery', appId: app.appId, id: endpoint } as const;
    const changes = new PendingChanges({ ...service.services, database: slow }, topic);
    await changes.addSince(new Date());
    const begun = changes.begin(undefined);
    const looked = changes.addSince(new Date());
    await begun;
    const later = await makeDelivery(endpoint);
    await Promise.all([looked, changes.addSince(new Date())]);
    const told: (string | undefined)[] = [];
    for (let change = changes.next; change !== undefined; change = changes.next) {
      told.push(change.id);
      changes.done(change);
    }
    expect(told).to.deep.equal([undefined, later]);
  });

  it('deliveries are found that changed at any time since, and none before', async () => {
    const endpoint = await makeEndpoint();
    const [before, first, last] = [
      await makeDelivery(endpoint),
      await makeDelivery(endpoint),
      await makeDelivery(endpoint),
    ];
    const topic = { kind: 'delivery', appId: app.appId, id: endpoint } as const;
    const changes = new PendingChanges(service.services, topic);
    await changes.begin(undefined);
    if (changes.next !== undefined) changes.done(changes.next);
    await changeSilently([before], ago(40));
    await changeSilently([first], ago(20));
    await changeSilently([last], ago(10));
    await changes.addSince(ago(30));
    const told: (string | undefined)[] = [];
    const ids: string[] = [];
    for (let change = changes.next; change !== undefined; change = changes.next) {
      told.push(change.id);
      ids.push(changes.eventIdOf(() => ''));
      changes.done(change);
    }
    expect(told).to.deep.equal([first, last]);
    const [, since] = /^at-(\d+)$/.exec(ids[0] ?? '') ?? [];
    expect(Number(since), 'a client that goes on from the first event is told the last').to.be.at.most(
      ago(19).getTime(),
    );
  });

  it('the time from which to look is that of the last proof that notices arrive', async () => {
    let lose: NoticeHandler = () => undefined;
    const heardUntil = ago(30);
    const notices: Pick<Notices, 'on' | 'heardUntil'> = {
      on: (channel, handler) => {
        if (channel === 'live_changed') lose = handler;
      },
      heardUntil,
    };
    const { database, log, clock } = service.services;
    const changes = new LiveChanges({ database, log, clock, notices: notices as Notices, recheckMs: 15_000 });
    const looked: Date[] = [];
    const stop = await changes.watch({
      topic: { kind: 'delivery', appId: app.appId, id: 'whe_1' },
      wake: () => undefined,
      lookSince: (time) => looked.push(time),
      recheck: () => undefined,
    });
    lose(undefined);
    stop();
    await changes.close();
    expect(looked.at(-1)).to.deep.equal(heardUntil);
  });

  it('thousands of subscriptions of a busy endpoint stay small', async () => {
    const endpoint = await makeEndpoint();
    const delivery = await makeDelivery(endpoint);
    const [columns] = await service.sql(
      `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
        WHERE table_name = 'webhook_deliveries' AND column_name NOT IN ('delivery_id', 'updated_at')`,
    );
    const names = columns.names as string;
    await service.sql(
      `INSERT INTO webhook_deliveries (delivery_id, updated_at, ${names})
       SELECT 'whd_' || n, now(), ${names} FROM webhook_deliveries, generate_series(1, 1000) AS n
        WHERE delivery_id = $1`,
      [delivery],
    );
    const topic = { kind: 'delivery', appId: app.appId, id: endpoint } as const;
    const many = Array.from({ length: 100 }, () => new PendingChanges(service.services, topic));
    await many[0]?.begin(undefined);
    const before = await bytesInUse();
    for (const changes of many) await changes.begin(undefined);
    const each = ((await bytesInUse()) - before) / many.length;
    expect(each).to.be.below(40_000);
    expect(many.every(({ next }) => next !== undefined)).to.equal(true);
  });

  async function bytesInUse(): Promise<number> {
    await collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  }
});
