import { expect } from 'chai';
import pg from 'pg';
import { PURPOSES } from '../../src/domain/purposes.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, makeCustomer } from '../support/records.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');

/** Rows of every list, small enough to be filtered by hand and large enough for many pages. */
interface Rows {
  customers: Json[];
  sessions: Json[];
  events: Json[];
  workflows: Json[];
}

/** A number that looks random and is the same at every run. */
function pick<T>(index: number, salt: number, values: readonly T[]): T {
  return values[Math.floor(Math.abs(Math.sin(index * 7.13 + salt) * 1e4)) % values.length] as T;
}

const id = (prefix: string, index: number): string =>
  `${prefix}_01kafem1xve7vbs97sn4${String(index).padStart(6, '0')}`;

const FILTERS: Record<string, readonly string[]> = {
  '/v1/connection-sessions': ['customer_id', 'status'],
  '/v1/events': ['customer_id', 'status', 'consent_purpose'],
  '/v1/workflows': ['type', 'status'],
  '/v1/customers': [
    'external_id_prefix',
    'created_after',
    'created_before',
    'consent_purpose',
    'external_id',
  ],
};

const VALUES: Record<string, (path: string) => readonly string[]> = {
  customer_id: () => [id('cus', 1), id('cus', 2), 'cus_none'],
  status: (path) =>
    path.includes('sessions')
      ? ['created', 'authorized', 'completed', 'expired', 'revoked']
      : path.includes('events')
        ? ['accepted', 'processing', 'processed', 'rejected', 'failed']
        : ['accepted', 'running', 'completed', 'failed'],
  consent_purpose: () => ['analytics', 'support'],
  type: () => ['profile_recompute', 'webhook_delivery'],
  external_id_prefix: () => ['a', 'a_', 'A', 'ä', 'none', '\u{10ffff}'],
  external_id: () => ['a_3', 'none'],
  created_after: () => ['2026-03-01T05:00:00.000Z', '2026-03-01T05:00:00.001+00:00', '2030-01-01T00:00:00Z'],
  created_before: () => ['2026-03-01T09:00:00.000Z'],
};

/** What each filter means, told over plain rows. */
const MEETS: Record<string, (row: Json, value: string) => boolean> = {
  customer_id: (row, value) => row.customer_id === value,
  status: (row, value) => row.shown_status === value,
  consent_purpose: (row, value) =>
    'purpose' in row ? row.purpose === PURPOSES.indexOf(value as never) : row.granted.includes(value),
  type: (row, value) => row.type === value,
  external_id_prefix: (row, value) => row.external_id.startsWith(value),
  external_id: (row, value) => row.external_id === value,
  created_after: (row, value) => row.created_at > new Date(value).toISOString(),
  created_before: (row, value) => row.created_at < new Date(value).toISOString(),
};

describe('The lists', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;
  let rows: Rows;

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    other = await service.makeApp();
    rows = rowsOf(app.appId);
    await insert(rows);
    const foreign = rowsOf(other.appId);
    await insert({
      ...foreign,
      customers: foreign.customers.slice(0, 5),
      events: foreign.events.slice(0, 20),
    });
  });
  after(() => service.stop());

  async function insert(all: Rows): Promise<void> {
    const owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    try {
      await owner.query(`SET session_replication_role = 'replica'`);
      for (const [text, found] of statementsOf(all)) await owner.query(text, [JSON.stringify(found)]);
    } finally {
      await owner.end();
    }
  }

  async function walk(path: string, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const page = expectStatus(await app.rest('GET', `${path}limit=${limit}${cursor}`), 200);
      expect(page.data.length).to.be.at.most(limit);
      ids.push(...page.data.map((item: Json) => item.id ?? item.event_id));
      if (page.pagination.has_more !== true) return ids;
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
    }
  }

  for (const [path, names] of Object.entries(FILTERS)) {
    it(`of ${path} apply every combination of filters in every order and page size`, async () => {
      const list = path.slice(path.lastIndexOf('/') + 1).replace('connection-', '') as keyof Rows;
      for (const [index, filters] of combinations(path, names).entries()) {
        const met = rows[list].filter((row) =>
          Object.entries(filters).every(([name, value]) => MEETS[name]?.(row, value)),
        );
        for (const order of ordersOf(path, filters)) {
          const asked = new URLSearchParams(order === '' ? filters : { ...filters, order });
          const query = `${path}?${asked}&`.replace('?&', '?');
          const expected = inOrder(met, order);
          expect(await walk(query, 100), query).to.deep.equal(expected);
          if (index % 4 === 0 && expected.length > 0)
            expect(await walk(query, 7), query).to.deep.equal(expected);
        }
        expect(await totalCount(path, filters), `totalCount of ${path} ${JSON.stringify(filters)}`).to.equal(
          met.length,
        );
      }
    });
  }

  it('refuse the order of external ids with filters without an index in that order', async () => {
    for (const filter of ['created_after=2026-01-01T00:00:00Z', 'consent_purpose=support']) {
      const { error } = expectStatus(await app.rest('GET', `/v1/customers?order=external_id&${filter}`), 400);
      expect([error.code, error.details[0].code, error.details[0].field]).to.deep.equal([
        'invalid_request',
        'unsupported_order',
        'order',
      ]);
    }
    expectStatus(await app.rest('GET', '/v1/events?order=external_id'), 400);
  });

  async function totalCount(path: string, filters: Record<string, string>): Promise<number> {
    const field = { sessions: 'connectionSessions' }[path.slice(-8)] ?? path.slice(4);
    const args = Object.entries(filters).map(([name, value]) => {
      const camel = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      return `${camel}: ${/status|purpose|type/.test(name) ? value.toUpperCase() : JSON.stringify(value)}`;
    });
    const root = path.includes('sessions') ? 'connectionSessions' : field;
    const { data, text } = await app.graphql(
      `{ ${root}${args.length > 0 ? `(${args.join(', ')})` : ''} { totalCount } }`,
    );
    if (data === null || data === undefined) throw new Error(text);
    return data[root].totalCount as number;
  }

  it('refuse a filter with an invalid value and name it', async () => {
    const wrong: [string, string][] = [
      ['/v1/customers?created_after=yesterday', 'created_after'],
      ['/v1/customers?created_before=2026-13-01T00:00:00Z', 'created_before'],
      ['/v1/customers?external_id_prefix=', 'external_id_prefix'],
      ['/v1/customers?consent_purpose=sales', 'consent_purpose'],
      ['/v1/events?status=EXPIRED', 'status'],
      ['/v1/workflows?type=x', 'type'],
      ['/v1/connection-sessions?status=processed', 'status'],
    ];
    for (const [path, field] of wrong) {
      const { error } = expectStatus(await app.rest('GET', path), 400);
      expect(error.code).to.equal('invalid_request');
      expect(error.details.map((detail: Json) => detail.field)).to.deep.equal([field]);
    }
  });

  it('show no content of events of a closed epoch with any filter', async () => {
    const hidden = new Set(rows.events.filter((row) => row.hidden).map((row) => row.id as string));
    for (const query of ['limit=100', 'customer_id=' + id('cus', 1), 'consent_purpose=' + PURPOSES[2]]) {
      const { data } = expectStatus(await app.rest('GET', `/v1/events?${query}`), 200);
      const [closed, open] = [true, false].map((side) =>
        data.filter((row: Json) => hidden.has(row.event_id) === side),
      );
      expect(
        [closed.length, open.length].every((count) => count > 0),
        query,
      ).to.equal(true);
      for (const row of open) expect(row.event_type).to.equal('liked');
      for (const { event_id, status, error, sequence, accepted_at, processed_at, ...rest } of closed) {
        expect(accepted_at, event_id).to.be.a('string');
        expect(
          Object.values(rest).filter((value) => value !== null && value !== undefined),
          event_id,
        ).to.deep.equal([]);
        void [status, error, sequence, processed_at];
      }
    }
  });

  it('refuse a cursor of another filter', async () => {
    const { pagination } = expectStatus(await app.rest('GET', '/v1/events?status=processed&limit=1'), 200);
    const cursor = encodeURIComponent(pagination.next_cursor);
    for (const path of [
      '/v1/events?',
      '/v1/events?status=failed&',
      '/v1/events?status=processed&order=oldest_first&',
      '/v1/workflows?status=completed&',
    ])
      expectStatus(await app.rest('GET', `${path}cursor=${cursor}`), 400);
    expectStatus(await other.rest('GET', `/v1/events?status=processed&cursor=${cursor}`), 400);
    expectStatus(
      await app.rest('GET', `/v1/events?status=processed&order=newest_first&cursor=${cursor}`),
      200,
    );
  });

  it('require consent:read for the filter by granted purpose', async () => {
    const narrow = await service.narrowed(app, 'customers:read');
    expectStatus(await narrow.rest('GET', '/v1/customers?limit=1'), 200);
    const answer = await narrow.rest('GET', '/v1/customers?consent_purpose=support');
    expect(expectStatus(answer, 403).error.code).to.equal('insufficient_scope');
    expect(answer.headers.get('www-authenticate')).to.include('scope="consent:read"');
    const { errors } = await narrow.graphql('{ customers(consentPurpose: SUPPORT) { totalCount } }');
    expect(errors[0]?.extensions).to.deep.include({
      code: 'INSUFFICIENT_SCOPE',
      missingScopes: ['consent:read'],
    });
  });

  it('are empty when filtered by a purpose that the app may not use', async () => {
    const path = '/v1/customers?consent_purpose=support';
    expect(expectStatus(await app.rest('GET', path), 200).data).to.not.deep.equal([]);
    await service.sql(`UPDATE apps SET allowed_mask = 0 WHERE app_id = $1`, [app.appId]);
    expect(expectStatus(await app.rest('GET', path), 200).data).to.deep.equal([]);
    await service.sql(`UPDATE apps SET allowed_mask = 127 WHERE app_id = $1`, [app.appId]);
  });

  it('count up to 10,000 and return null beyond', async () => {
    const crowd = await service.makeApp();
    const add = (from: number, to: number): Promise<Json[]> =>
      service.sql(
        `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
         SELECT $1, 'cus_' || lpad(n::text, 26, '0'), n, 'active', now(), now()
           FROM generate_series($2::integer, $3::integer) AS n`,
        [crowd.appId, from, to],
      );
    const count = async (): Promise<unknown> =>
      (await crowd.graphql('{ customers(first: 1) { totalCount pageInfo { hasNextPage } } }')).data.customers;
    await add(1, 10_000);
    expect(await count()).to.deep.equal({ totalCount: 10_000, pageInfo: { hasNextPage: true } });
    await add(10_001, 10_001);
    expect(await count()).to.deep.equal({ totalCount: null, pageInfo: { hasNextPage: true } });
  });

  it('count only on request', async () => {
    const statements: string[] = [];
    const read = service.services.database.readAs.bind(service.services.database);
    service.services.database.readAs = (appId, query, values) => {
      statements.push(query.name);
      return read(appId, query, values);
    };
    try {
      await app.graphql('{ customers { nodes { id } } }');
      await app.rest('GET', '/v1/customers');
      expect(statements.filter((name) => name.endsWith('_count'))).to.deep.equal([]);
      await app.graphql('{ customers { totalCount } }');
      expect(statements.filter((name) => name.endsWith('_count'))).to.have.length(1);
    } finally {
      service.services.database.readAs = read;
    }
  });

  it('count the items of every root list', async () => {
    const customer = await makeCustomer(other);
    const query = `{ claims(customerId: "${customer}") { totalCount } intents(customerId: "${customer}") {
      totalCount }
      consentReceipts { totalCount } entries { totalCount } ontologies { totalCount } webhookEndpoints {
        totalCount }
      webhookEventTypes { totalCount } }`;
    const { data, errors } = await other.graphql(query);
    expect(errors).to.deep.equal([]);
    const { webhookEventTypes, ...none } = data;
    expect(Object.values(none)).to.deep.equal(Object.keys(none).map(() => ({ totalCount: 0 })));
    expect(webhookEventTypes.totalCount).to.be.above(10);
  });
});

/** The orders that a list has under a filter; '' is the one that it has without being asked. */
function ordersOf(path: string, filters: Record<string, string>): string[] {
  const byName =
    path === '/v1/customers' && Object.keys(filters).every((name) => name.startsWith('external_id'));
  return ['', 'newest_first', 'oldest_first', ...(byName ? ['external_id'] : [])];
}

function inOrder(rows: readonly Json[], order: string): string[] {
  if (order === 'external_id')
    return rows
      .toSorted((a, b) =>
        Buffer.compare(Buffer.from(a.external_id as string), Buffer.from(b.external_id as string)),
      )
      .map((row) => row.id as string);
  const ids = rows.map((row) => row.id as string).toSorted();
  return order === 'oldest_first' ? ids : ids.toReversed();
}

function combinations(path: string, names: readonly string[]): Record<string, string>[] {
  return names.reduce<Record<string, string>[]>(
    (found, name) => [
      ...found,
      ...found.flatMap((filters) =>
        (VALUES[name]?.(path) ?? [])
          .slice(0, found.length > 20 ? 1 : undefined)
          .map((value) => ({ ...filters, [name]: value })),
      ),
    ],
    [{}],
  );
}

function rowsOf(appId: string): Rows {
  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const app_id = appId;
  const customers = range(24).map((index) => ({
    app_id,
    id: id('cus', index),
    external_id: `${pick(index, 1, ['a', 'a_', 'ab', 'A_', 'ä', 'b\u{10ffff}', '\u{10ffff}x'])}${index % 11}${index === 3 ? '' : `-${index}`}`,
    created_at: new Date(START + index * HOUR).toISOString(),
    open_mask: index % 2 === 0 ? 127 - 8 : 127,
    granted: PURPOSES.filter((_, place) => pick(index, place, [true, false, false])),
  }));
  const third = customers[3];
  if (third !== undefined) third.external_id = 'a_3';
  const now = Date.now();
  const sessions = range(60).map((index) => {
    const status = pick(index, 2, ['created', 'authorized', 'completed', 'expired', 'revoked']);
    const isOver = pick(index, 3, [true, false]);
    return {
      app_id,
      id: id('cs', index),
      customer_id: id('cus', index % 5),
      status,
      shown_status: isOver && /created|authorized/.test(status) ? 'expired' : status,
      expires_at: new Date(now + (isOver ? -HOUR : HOUR)).toISOString(),
    };
  });
  const events = range(150).map((index) => {
    const shown_status = pick(index, 5, ['accepted', 'processing', 'processed', 'rejected', 'failed']);
    const purpose = pick(index, 4, [0, 1, 2, 3, 2, 3]);
    // Customers of an even number withdrew purpose 3; of purpose 2 everybody is in the second epoch.
    const epoch = pick(index, 8, purpose === 2 ? [1, 2, 2] : [1]);
    const isErased = pick(index, 9, [true, false, false]) && !/accepted|processing/.test(shown_status);
    return {
      app_id,
      id: id('evt', index),
      customer_id: id('cus', index % 5),
      sequence: index,
      purpose,
      epoch,
      payload: isErased
        ? null
        : { eventType: 'liked', object: 'ent_1', occurredAt: '2026-03-01T00:00:00.000Z' },
      shown_status,
      hidden: isErased || (purpose === 2 && epoch === 1) || (purpose === 3 && (index % 5) % 2 === 0),
    };
  });
  const workflows = range(90).map((index) => ({
    app_id,
    id: id('wf', index),
    type: pick(index, 6, ['consent_revocation_cascade', 'profile_recompute', 'webhook_delivery']),
    shown_status: pick(index, 7, ['accepted', 'running', 'completed', 'failed']),
  }));
  return { customers, sessions, events, workflows };
}

function statementsOf({ customers, sessions, events, workflows }: Rows): [string, Json[]][] {
  const isWaiting = ({ shown_status }: Json): boolean => /accepted|processing/.test(shown_status as string);
  const consents = customers.flatMap(({ app_id, id: customer_id, granted }) =>
    PURPOSES.map((name, purpose) => ({
      app_id,
      customer_id,
      purpose,
      status: granted.includes(name) ? 'granted' : 'revoked',
    })),
  );
  return [
    [
      `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
       SELECT app_id, id, external_id, 'active', created_at, created_at
         FROM jsonb_to_recordset($1) AS r (app_id text, id text, external_id text, created_at timestamptz)`,
      customers,
    ],
    [
      `INSERT INTO customer_heads (app_id, customer_id, granted_mask, epochs, changed_at)
       SELECT app_id, id, open_mask, '{1,1,2,1,1,1,1}', now()
         FROM jsonb_to_recordset($1) AS r (app_id text, id text, open_mask integer)`,
      customers,
    ],
    [
      `INSERT INTO customer_consents (app_id, customer_id, purpose, status, granted_at)
       SELECT app_id, customer_id, purpose, status, now()
         FROM jsonb_to_recordset($1) AS r (app_id text, customer_id text, purpose smallint, status text)`,
      consents,
    ],
    [
      `INSERT INTO connection_sessions (app_id, session_id, customer_id, status, requested_purposes,
        created_at, expires_at)
       SELECT app_id, id, customer_id, status, '{support}', now(), expires_at
         FROM jsonb_to_recordset($1) AS r (app_id text, id text, customer_id text, status text,
           expires_at timestamptz)`,
      sessions,
    ],
    [
      `INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, payload,
        accepted_at, processed_at)
       SELECT app_id, customer_id, sequence, id, shown_status, purpose, epoch, NULLIF(payload, 'null'), now(),
              now()
         FROM jsonb_to_recordset($1) AS r (app_id text, customer_id text, sequence bigint, id text,
           shown_status text,
              purpose smallint, epoch integer, payload jsonb)`,
      events.filter((event) => !isWaiting(event)),
    ],
    [
      `INSERT INTO inbox (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload, attempts,
        accepted_at)
       SELECT app_id, customer_id, sequence, kind, id, purpose, epoch, payload, attempts, now()
         FROM jsonb_to_recordset($1) AS r (app_id text, customer_id text, sequence bigint, kind text, id text,
              purpose smallint, epoch integer, payload jsonb, attempts integer)`,
      [
        ...events.filter(isWaiting).map((event) => ({
          ...event,
          kind: 'event',
          attempts: event.shown_status === 'processing' ? 1 : 0,
        })),
        ...events.filter(isWaiting).map((event) => ({
          ...event,
          kind: 'claim',
          attempts: 0,
          id: event.id.replace('evt', 'clm'),
          sequence: event.sequence + 1000,
        })),
      ],
    ],
    [
      `INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
       SELECT app_id, id, type, shown_status, '{}', now(), now()
         FROM jsonb_to_recordset($1) AS r (app_id text, id text, type text, shown_status text)`,
      workflows,
    ],
  ];
}
