import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import type { OperationExample } from '../../rest-bridge/openapi/examples.js';
import { eventBody, makeEntry, putBooks, settled } from '../support/ingestRecords.js';
import {
  claimBody,
  expectStatus,
  finished,
  grant,
  makeCustomer,
  revoke,
  sendClaims,
} from '../support/records.js';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { readAnswer } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { routeCases } from './routeCases.js';

const FILE = 'rest-bridge/openapi/examples.json';

/** Secrets and what stands for a moment or a machine, by the name of the member. */
const REPLACED: Readonly<Record<string, string | number>> = {
  access_token: 'shown-once-good-for-15-minutes',
  token: 'shown-once-good-for-15-minutes',
  kid: 'key-1',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDpre',
  iat: 1_795_000_000,
  exp: 1_795_000_900,
  client_secret: 'shown-once-keep-it-safe',
  client_token: 'shown-once-single-use',
  signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  next_cursor: 'ImN1c18wMWthZmVtMXh2ZTd2YnM5N3NuNHI3MWJyZiI.x1y2z3',
  checksum: `sha256:${'0'.repeat(64)}`,
  resolved_at: '2026-11-20T07:23:00.000Z',
};

/** The value with ids, times and secrets that are the same at every run. */
function steady(value: unknown, ids: Map<string, string>, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => steady(item, ids));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, steady(member, ids, key)]));
  if (typeof value !== 'string') return REPLACED[name] ?? value;
  return REPLACED[name] ?? steadyText(value, ids);
}

function steadyText(text: string, ids: Map<string, string>): string {
  return text
    .replace(
      /\b(app|cus|cs|rcp|clm|evt|int|wf|whe|whd|acc|ent)_[0-9a-z]{26}\b/g,
      (id: string, prefix: string) => {
        const known =
          ids.get(id) ?? `${prefix}_01kafem1xve7vbs97sn4r7${String(ids.size + 1).padStart(4, '0')}`;
        ids.set(id, known);
        return known;
      },
    )
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-20T07:23:00.000Z')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.consent-profile.test')
    .replace(/client_token=[\w-]+/g, 'client_token=shown-once-single-use')
    .replace(/\b(books|isbn|member|Quay|reader)-\d+\b/g, '$1-1')
    .replace(/\bisbn-0?\.\d+(e-\d+)?\b/g, 'isbn-1');
}

describe('the examples of the OpenAPI document', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;
  let event: string;
  /** An app whose only workflow has ended: nothing else that runs changes what its list shows. */
  let calm: TestPartner;
  let workflow: string;

  // Anew for each try in CI: what the first try made would be among the answers of the second.
  beforeEach(async () => {
    service = await TestService.start({ RATE_LIMITS: 'token=60' });
    await putBooks(service);
    app = await service.makeApp();
    customer = await makeCustomer(app);
    await grant(app, customer, 'personalization', 'analytics');
    const book = await makeEntry(app);
    await sendClaims(
      app,
      claimBody(customer),
      claimBody(customer, { source: 'survey', value: 'poetry', confidence: 0.6 }),
    );
    event = expectStatus(await app.rest('POST', '/v1/events', eventBody(customer, book)), 202)
      .event_id as string;
    await settled(app, event);
    calm = await service.makeApp();
    workflow = await revoke(calm, await grant(calm, await makeCustomer(calm), 'support'));
    await finished(calm, workflow);
  });
  afterEach(() => service.stop());

  /** Paths that lead to something worth showing. */
  const shown = (operation: string): string | undefined =>
    ({
      getProfile: `/v1/profiles/${customer}`,
      listClaims: `/v1/profiles/${customer}/claims?limit=1`,
      listIntents: `/v1/profiles/${customer}/intents`,
      getEvent: `/v1/events/${event}`,
      listEvents: `/v1/events?customer_id=${customer}`,
      listCustomers: '/v1/customers?limit=1',
      listConsentReceipts: `/v1/consent-receipts?customer_id=${customer}`,
      listEntries: '/v1/entries?limit=1',
      listOntologies: '/v1/ontologies?limit=1',
      listWebhookEventTypes: '/v1/webhook-event-types?limit=1',
      listConnectionSessions: '/v1/connection-sessions?limit=1',
      getWorkflow: `/v1/workflows/${workflow}`,
    })[operation];

  async function capture(operation: string, method: string): Promise<OperationExample> {
    const found = routeCases[operation];
    if (found === undefined) throw new Error(`Add ${operation} to routeCases.ts.`);
    const partner = operation.includes('Workflow') ? calm : app;
    const by = found.needs === 'admin' ? service.admin : partner;
    const path = shown(operation) ?? (await found.path(app, service));
    const request: unknown = await found.body?.(app, service, path);
    const answer = await by.rest(method, path, request);
    if (answer.status >= 300) throw new Error(`${operation}: ${answer.text}`);
    const ids = new Map<string, string>();
    const sent = request === undefined ? {} : { request: steady(request, ids) };
    return { ...sent, ...(answer.status === 204 ? {} : { response: steady(answer.body as Json, ids) }) };
  }

  const basic = (secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${app.appId}:${secret}`).toString('base64')}`,
  });

  async function form(
    path: string,
    fields: Record<string, string>,
    secret = app.clientSecret,
  ): Promise<Answer> {
    const body = new URLSearchParams(fields);
    return readAnswer(await fetch(service.url + path, { method: 'POST', headers: basic(secret), body }));
  }

  /** The operations of the authorization server and of discovery, which are no routes. */
  async function captureOauth(): Promise<Record<string, OperationExample>> {
    const ask = { grant_type: 'client_credentials', scope: 'customers:read profile:read' };
    const granted = await form('/oauth/token', ask);
    const token = { token: granted.body.access_token as string };
    const bare = await service.makeApp('customers:read');
    const asBare = await readAnswer(
      await fetch(`${service.url}/oauth/revoke`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${bare.appId}:${bare.clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams(token),
      }),
    );
    const read = async (path: string): Promise<OperationExample> => ({
      response: (await service.nobody.rest('GET', path)).body as unknown,
    });
    const refused = (...answers: Answer[]): Record<number, unknown> =>
      Object.fromEntries(answers.map(({ status, body }) => [status, body as unknown]));
    const found: Record<string, OperationExample> = {
      issueToken: {
        request: ask,
        response: granted.body as unknown,
        refusals: refused(
          await form('/oauth/token', { grant_type: 'password' }),
          await form('/oauth/token', ask, 'wrong'),
          await tooMany(),
        ),
      },
      introspectToken: { request: token, response: (await form('/oauth/introspect', token)).body as unknown },
      revokeToken: {
        request: token,
        refusals: refused(
          await form('/oauth/revoke', {}),
          await form('/oauth/revoke', token, 'wrong'),
          asBare,
        ),
      },
      authorize: {
        refusals: refused(
          await service.nobody.rest(
            'GET',
            '/oauth/authorize?response_type=code&redirect_uri=https://nobody.example/',
          ),
        ),
      },
      getJwks: await read('/oauth/jwks'),
      getAuthorizationServerMetadata: await read('/.well-known/oauth-authorization-server'),
      getOpenidConfiguration: await read('/.well-known/openid-configuration'),
      getProtectedResourceMetadata: await read('/.well-known/oauth-protected-resource'),
    };
    const ids = new Map<string, string>();
    return Object.fromEntries(
      Object.entries(found).map(([name, example]) => [name, steady(example, ids) as OperationExample]),
    );
  }

  /** The refusal of a client that asks without end: of one of its own, whose budget nobody misses. */
  async function tooMany(): Promise<Answer> {
    const busy = await service.makeApp('customers:read');
    for (;;) {
      const answer = await readAnswer(
        await fetch(`${service.url}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: busy.appId,
            client_secret: 'wrong',
          }),
        }),
      );
      if (answer.status === 429) return answer;
    }
  }

  it('are answers of the service (UPDATE_EXAMPLES=1 writes the current ones)', async () => {
    const captured: Record<string, OperationExample> = {};
    // The app's own secret is rotated last; it stays good, so that OAuth can be asked with it.
    const routes = allRoutes.toSorted(
      (a, b) => Number(a.path.includes('rotate')) - Number(b.path.includes('rotate')),
    );
    for (const { operation, method } of routes) captured[operation] = await capture(operation, method);
    Object.assign(captured, await captureOauth());
    const text = `${JSON.stringify(captured, null, 2)}\n`;
    if (process.env['UPDATE_EXAMPLES'] === '1') writeFileSync(FILE, text);
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExample>;
    expect(Object.keys(kept)).to.have.members(Object.keys(captured));
    for (const operation of Object.keys(captured))
      expect(shapeOf(captured[operation]), operation).to.deep.equal(shapeOf(kept[operation]));
  });
});

/** Members and kinds of values: what a moment decides (states, numbers) may differ from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}
