import { expect } from 'chai';
import type { TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../support/records.js';

/**
 * A request with everything wrong that can be, each put right in turn: what is checked first must answer
 * first.
 */
describe('The order of checks', () => {
  let service: TestService;
  let app: TestPartner;
  let closed: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    closed = await makeCustomer(app);
  });
  after(() => service.stop());

  interface Step {
    /** Puts right what the step before was refused for. */
    method?: string;
    path?: string;
    by?: () => TestPartner | Promise<TestPartner>;
    headers?: Record<string, string>;
    body?: unknown;
    expect: [number, string];
  }

  async function walk(steps: Step[]): Promise<void> {
    let now: Required<Omit<Step, 'expect'>> = {
      method: 'POST',
      path: '',
      by: () => service.nobody,
      headers: {},
      body: undefined,
    };
    for (const { expect: expected, ...change } of steps) {
      now = { ...now, ...change, headers: { ...now.headers, ...change.headers } };
      const by = await now.by();
      const answer = await by.rest(now.method, now.path, now.body, now.headers);
      expect(
        [answer.status, answer.body?.error?.code ?? 'success'],
        `${JSON.stringify(change)} ${answer.text.slice(0, 200)}`,
      ).to.deep.equal(expected);
    }
  }

  it('goes for a claim from the route over credential, scope, key and body to consent', async () => {
    const used = freshKey();
    expectStatus(
      await app.rest('POST', '/v1/customers', { external_id: 'used' }, { 'idempotency-key': used }),
      201,
    );
    await walk([
      {
        method: 'GET',
        path: '/v1/claimz?bad=1',
        headers: { 'idempotency-key': '', 'content-type': 'text/plain' },
        expect: [404, 'not_found'],
      },
      { path: '/v1/claims?bad=1', expect: [405, 'method_not_allowed'] },
      { method: 'POST', body: `"${'x'.repeat(1024 * 1024)}`, expect: [401, 'unauthenticated'] },
      { by: () => service.narrowed(app, 'events:read'), expect: [403, 'insufficient_scope'] },
      { by: () => app, expect: [400, 'idempotency_key_required'] },
      { headers: { 'idempotency-key': 'short' }, expect: [400, 'idempotency_key_invalid'] },
      { headers: { 'idempotency-key': used }, expect: [415, 'unsupported_media_type'] },
      { headers: { 'content-type': 'application/json' }, expect: [413, 'payload_too_large'] },
      { body: '{"nonsense"', expect: [400, 'invalid_request'] },
      { body: { nonsense: 1 }, expect: [400, 'invalid_request'] },
      { path: '/v1/claims', expect: [409, 'idempotency_conflict'] },
      { headers: { 'idempotency-key': freshKey() }, expect: [422, 'validation_failed'] },
      { body: claimBody('cus_nobody'), expect: [422, 'validation_failed'] },
      { body: claimBody(closed), expect: [403, 'consent_denied'] },
    ]);
  });

  it('begins for a revocation with the shape, then the receipt, then its purposes', async () => {
    const receipt = await grant(app, closed, 'support');
    await walk([
      {
        path: '/v1/consent-receipts/rcp_nobody/revoke',
        by: () => app,
        body: { purposes: ['spying'] },
        expect: [422, 'validation_failed'],
      },
      { body: { purposes: ['analytics'] }, expect: [404, 'not_found'] },
      { path: `/v1/consent-receipts/${receipt}/revoke`, expect: [422, 'validation_failed'] },
      { body: { purposes: ['support'] }, expect: [202, 'success'] },
    ]);
  });

  it('puts references before the state of the session for a receipt', async () => {
    const { session } = expectStatus(
      await app.rest('POST', '/v1/connection-sessions', {
        customer_id: closed,
        requested_purposes: ['support'],
      }),
      201,
    );
    await walk([
      {
        path: '/v1/consent-receipts',
        by: () => app,
        body: { customer_id: 'cus_nobody', purposes: ['support'], connection_session_id: 'cs_nobody' },
        expect: [422, 'validation_failed'],
      },
      {
        body: { customer_id: closed, purposes: ['support'], connection_session_id: 'cs_nobody' },
        expect: [422, 'validation_failed'],
      },
      {
        body: { customer_id: closed, purposes: ['analytics'], connection_session_id: session.id },
        expect: [409, 'conflict'],
      },
    ]);
  });

  it('puts the path before a state that forbids the change for a customer', async () => {
    await makeCustomer(app, { external_id: 'taken' });
    await walk([
      {
        method: 'PATCH',
        path: '/v1/customers/cus_nobody',
        by: () => app,
        body: { external_id: '' },
        expect: [422, 'validation_failed'],
      },
      { body: { external_id: 'taken' }, expect: [404, 'not_found'] },
      { path: `/v1/customers/${closed}`, expect: [409, 'conflict'] },
    ]);
  });

  it('goes for a profile from the credential over scope, query and customer to consent', async () => {
    await walk([
      {
        method: 'GET',
        path: '/v1/profiles/cus_nobody?consent_purpose=spying',
        by: () => service.nobody,
        expect: [401, 'unauthenticated'],
      },
      { by: () => service.narrowed(app, 'profiles:read'), expect: [403, 'insufficient_scope'] },
      { by: () => app, expect: [400, 'invalid_request'] },
      { path: '/v1/profiles/cus_nobody?consent_purpose=measurement', expect: [404, 'not_found'] },
      { path: `/v1/profiles/${closed}?consent_purpose=measurement`, expect: [403, 'consent_denied'] },
    ]);
  });
});
