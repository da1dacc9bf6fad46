import { expect } from 'chai';
import { writeCursor } from '../../src/domain/cursor.js';
import type { SessionStatus } from '../../src/domain/connectionSession.js';
import { listConnectionSessions } from '../../src/loaders/listConnectionSessions.js';
import type { ConnectionSessionFilter } from '../../src/loaders/listConnectionSessions.js';
import { loadConnectionSession } from '../../src/loaders/loadConnectionSession.js';
import type { ListOrder } from '../../src/domain/listOrder.js';
import { scopeOf } from '../../src/loaders/page.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const NOW = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T12:00:01.000Z';

/** The customer, the stored status and the end of each. */
const SESSIONS: Readonly<Record<string, [customer: string, status: SessionStatus, expiresAt: string]>> = {
  cs_1: ['cus_1', 'created', LATER],
  cs_2: ['cus_2', 'created', NOW],
  cs_3: ['cus_1', 'authorized', LATER],
  cs_4: ['cus_1', 'authorized', NOW],
  cs_5: ['cus_1', 'completed', NOW],
  cs_6: ['cus_2', 'expired', NOW],
  cs_7: ['cus_2', 'revoked', LATER],
  cs_8: ['cus_2', 'created', LATER],
};

describe('The list of connection sessions', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    fixture.now = NOW;
  });
  after(() => fixture?.stop());

  // Reading a session that lapsed writes that down.
  beforeEach(async () => {
    await fixture.sql('DELETE FROM connection_sessions');
    const rows = Object.entries(SESSIONS).map(([session_id, [customer_id, status, expires_at]]) => ({
      session_id,
      customer_id,
      status,
      expires_at,
      requested_purposes: ['support'],
      withdrawn_purposes: [],
      created_at: NOW,
    }));
    await fixture.insert('connection_sessions', rows);
    await fixture.insert('connection_sessions', [{ ...rows[0], app_id: OTHER_APP, session_id: 'cs_1x' }]);
  });

  const list = (filter: ConnectionSessionFilter, order?: ListOrder) => ({
    list: (request: object) => listConnectionSessions(fixture.context(), filter, { ...request, order }),
    idOf: ({ id }: { id: string }) => id,
    statement: 'connection_session',
    scope: scopeOf(APP, 'connection_sessions', filter, order),
  });
  const shown = async (filter: ConnectionSessionFilter): Promise<[string, SessionStatus][]> => {
    const { nodes } = await list(filter).list({ first: 10 });
    return (nodes as { id: string; status: SessionStatus }[]).map(({ id, status }) => [id, status]);
  };

  it('is ordered by id in either direction, with the current status of each session', async () => {
    const ids = Object.keys(SESSIONS);
    await expectList(fixture, { ...list({}), ids: ids.toReversed() });
    await expectList(fixture, { ...list({}, 'oldest_first'), ids });
    expect(Object.fromEntries(await shown({}))).to.deep.equal({
      cs_1: 'created',
      cs_2: 'expired',
      cs_3: 'authorized',
      cs_4: 'expired',
      cs_5: 'completed',
      cs_6: 'expired',
      cs_7: 'revoked',
      cs_8: 'created',
    });
  });

  const byStatus: [SessionStatus, string[]][] = [
    ['created', ['cs_8', 'cs_1']],
    ['authorized', ['cs_3']],
    ['completed', ['cs_5']],
    ['expired', ['cs_6', 'cs_4', 'cs_2']],
    ['revoked', ['cs_7']],
  ];
  for (const [status, ids] of byStatus) {
    it(`is filtered by the current status ${status}`, async () => {
      expect(await shown({ status })).to.deep.equal(ids.map((id) => [id, status]));
      await expectList(fixture, { ...list({ status }), ids });
      await expectList(fixture, { ...list({ status }, 'oldest_first'), ids: ids.toReversed() });
    });

    it(`counts the sessions that are ${status} on an empty page`, async () => {
      const { scope, list: read } = list({ status }, 'oldest_first');
      const behindAll = await read({ after: writeCursor(fixture.services.secrets, scope, 'cs_9') });
      expect(behindAll.nodes).to.deep.equal([]);
      expect(await behindAll.count()).to.equal(ids.length);
    });
  }

  it('is filtered by customer and status', async () => {
    const customerId = 'cus_2';
    await expectList(fixture, { ...list({ customerId }), ids: ['cs_8', 'cs_7', 'cs_6', 'cs_2'] });
    await expectList(fixture, { ...list({ customerId, status: 'expired' }), ids: ['cs_6', 'cs_2'] });
    await expectList(fixture, { ...list({ customerId, status: 'created' }), ids: ['cs_8'] });
    await expectList(fixture, { ...list({ customerId, status: 'completed' }), ids: [] });
  });

  /** Runs a statement once, right after a page was read. */
  async function afterNextPage<T>(statement: string, read: () => Promise<T>): Promise<T> {
    const { database } = fixture.services;
    const reads = database.readAs.bind(database);
    database.readAs = async (appId, query, values) => {
      const rows = await reads(appId, query, values);
      database.readAs = reads;
      await fixture.sql(statement);
      return rows as never;
    };
    try {
      return await read();
    } finally {
      database.readAs = reads;
    }
  }

  it('omits a session whose status changed during the read', async () => {
    const completed = `UPDATE connection_sessions SET status = 'completed' WHERE session_id = 'cs_4'`;
    expect(await afterNextPage(completed, () => shown({ status: 'expired' }))).to.deep.equal([
      ['cs_6', 'expired'],
      ['cs_2', 'expired'],
    ]);
  });

  it('shows a session completed during the read as completed when not filtered by status', async () => {
    const completed = `UPDATE connection_sessions SET status = 'completed' WHERE session_id = 'cs_4'`;
    const found = Object.fromEntries(await afterNextPage(completed, () => shown({})));
    expect(found['cs_4']).to.equal('completed');
    expect(found['cs_2']).to.equal('expired');
  });

  it('shows a session that was deleted during the read', async () => {
    const removed = `DELETE FROM connection_sessions WHERE session_id = 'cs_4'`;
    const found = await afterNextPage(removed, () => shown({ status: 'expired' }));
    expect(found.map(([id]) => id)).to.deep.equal(['cs_6', 'cs_4', 'cs_2']);
  });

  it('contains sessions that can be read by id', async () => {
    const loaded = await loadConnectionSession(fixture.context(), 'cs_2');
    expect(loaded).to.include({ id: 'cs_2', customerId: 'cus_2', status: 'expired', createdAt: NOW });
    expect(await loadConnectionSession(fixture.context(), 'cs_1x')).to.equal(undefined);
    expect(await loadConnectionSession(fixture.context(OTHER_APP), 'cs_1x')).to.include({
      status: 'created',
    });
  });
});
