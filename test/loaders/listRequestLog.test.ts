import { expect } from 'chai';
import type { RequestLogEntry } from '../../schema/types/RequestLog.js';
import { listRequestLog } from '../../src/loaders/listRequestLog.js';
import type { RequestLogFilter } from '../../src/loaders/listRequestLog.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const AT = '2026-03-01T00:00:00.000Z';
const ALL: RequestLogFilter = { requestId: null, status: null, failed: null };

describe('The list of requests', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    const row = { received_at: AT, method: 'GET', route: '/v1/x', operation: 'readX', duration_us: 1500 };
    await fixture.insert('request_log', [
      { ...row, entry_id: 1, request_id: 'req_1', status: 200, code: null },
      { ...row, entry_id: 2, request_id: 'req_2', status: 404, code: 'not_found' },
      { ...row, entry_id: 3, request_id: 'req_1', status: 200, code: 'consent_denied' },
      { ...row, entry_id: 4, request_id: 'req_1', status: 200, code: null, app_id: OTHER_APP },
    ]);
  });
  after(() => fixture?.stop());

  const list = (filter: Partial<RequestLogFilter>) => {
    const { requestId, status, failed } = { ...ALL, ...filter };
    return {
      list: (request: object) => listRequestLog(fixture.context(), { requestId, status, failed }, request),
      idOf: ({ id }: RequestLogEntry) => id,
      scope: { appId: APP, list: 'request_log', filter: JSON.stringify([requestId, status, failed]) },
    };
  };
  const placed = (...ids: number[]) => ({ ids: ids.map(String), positions: ids });

  it('is ordered newest first', () => expectList(fixture, { ...list({}), ...placed(3, 2, 1) }));

  it('is filtered by request id, by status and by failure', async () => {
    await expectList(fixture, { ...list({ requestId: 'req_1' }), ...placed(3, 1) });
    await expectList(fixture, { ...list({ status: 404 }), ...placed(2) });
    await expectList(fixture, { ...list({ failed: true }), ...placed(3, 2) });
    await expectList(fixture, { ...list({ failed: false }), ...placed(1) });
  });

  it('contains a request with its duration in milliseconds', async () => {
    const { edges } = await list({ status: 404 }).list({});
    expect(edges.map(({ node }) => node)).to.deep.equal([
      {
        id: '2',
        requestId: 'req_2',
        receivedAt: AT,
        method: 'GET',
        route: '/v1/x',
        operation: 'readX',
        status: 404,
        code: 'not_found',
        durationMs: 1.5,
      },
    ]);
  });
});
