import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Route } from '../../rest-bridge/Route.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import type { RouteCase } from './routeCases.js';
import { isList, isMutation, takesBody } from '../support/routeShape.js';
import { routeCases } from './routeCases.js';

/** An id in the shape of the path's own that belongs to nobody. */
const NOBODYS = 'xxx_01kafem1xve7vbs97sn4r71brf';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe('every route of /v1', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    other = await service.makeApp();
  });
  after(() => service.stop());

  for (const route of allRoutes) {
    describe(`${route.method} ${route.path}`, () => {
      const found = routeCases[route.operation];
      if (found === undefined) {
        it('is listed in routeCases.ts', () => {
          throw new Error(`Add ${route.operation} to test/rest-bridge/routeCases.ts.`);
        });
        return;
      }
      testRoute(route, found);
    });
  }

  function testRoute(route: Route, routeCase: RouteCase): void {
    const documented = statusesOf(route);

    function refused(answer: Answer, status: number, code: string): Json {
      if (status !== 405) expect(documented, 'the OpenAPI document').to.include(String(status));
      return refusal(answer, status, code);
    }

    const caller = (): TestPartner => (routeCase.needs === 'admin' ? service.admin : app);
    const pathOf = (owner: TestPartner): Promise<string> => Promise.resolve(routeCase.path(owner, service));

    /** A request that would succeed, but for what is given here. */
    async function ask(
      by: TestPartner,
      change: { path?: string; body?: unknown; headers?: Record<string, string> } = {},
    ): Promise<Answer> {
      const path = change.path ?? (await pathOf(app));
      const valid = takesBody(route)
        ? await routeCase.body?.(app, service, path.replace(/\?.*/, ''))
        : undefined;
      return by.rest(route.method, path, 'body' in change ? change.body : valid, change.headers);
    }

    it('answers a valid request with its status', async () => {
      const answer = await ask(caller(), { headers: { 'x-request-id': 'the:partner.s-own_1' } });
      expect(answer.status, answer.text).to.equal(route.success === 'upsert' ? 201 : (route.success ?? 200));
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(answer.headers.get('x-request-id')).to.equal('the:partner.s-own_1');
      expect(answer.headers.get('x-powered-by')).to.equal(null);
      expect(answer.text).to.not.match(/:\s*null[,}]/);
      if (answer.status === 204) expect(answer.text).to.equal('');
      const { status_url, workflow_id } = answer.body ?? {};
      const created =
        answer.status === 201 || (answer.status === 202 && (status_url ?? workflow_id) !== undefined);
      if (!created) return;
      const location = answer.headers.get('location') ?? '';
      expect(location)
        .to.match(/^\/v1\//)
        .and.not.include('undefined');
      const read = await (
        routeCase.needs === 'admin' && route.operation !== 'createApp' ? app : caller()
      ).rest('GET', location);
      expect(read.status, `GET ${location}`).to.equal(200);
    });

    it('requires a credential', async () => {
      for (const headers of [
        {},
        { authorization: 'Basic eDp5' },
        { authorization: `Bearer ${'x'.repeat(43)}` },
        { 'x-service-admin-key': 'wrong' },
      ]) {
        // Everything else is wrong too: the credential comes first.
        const answer = await service.nobody.rest(
          route.method,
          `${await pathOf(app)}?nonsense=1`,
          takesBody(route) ? '{' : undefined,
          {
            ...headers,
            'idempotency-key': '',
            'content-type': 'text/plain',
          },
        );
        refused(answer, 401, 'unauthenticated');
        expect(answer.headers.get('www-authenticate')).to.match(/^Bearer /);
      }
    });

    it('requires its scope', async () => {
      const { needs } = routeCase;
      if (needs === 'admin') return void refused(await ask(app), 401, 'unauthenticated');
      const lacking = await service.narrowed(
        app,
        ...ALL_SCOPES.filter((scope) => scope !== needs && scope !== 'offline_access'),
      );
      const answer = await lacking.rest(
        route.method,
        `${await pathOf(app)}?nonsense=1`,
        takesBody(route) ? '{' : undefined,
        {
          'idempotency-key': '',
        },
      );
      const error = refused(answer, 403, 'insufficient_scope');
      expect(error.details).to.have.length(1);
      expect(error.details[0].message).to.include(needs);
      expect(answer.headers.get('www-authenticate'))
        .to.include('error="insufficient_scope"')
        .and.include(`scope="${needs}"`);
      const enough = await service.narrowed(app, needs);
      expect((await ask(enough)).status).to.be.below(300);
    });

    it('answers other methods with 405', async () => {
      const allowed = allRoutes
        .filter(({ path }) => path === route.path)
        .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const path = await pathOf(app);
      for (const method of [...METHODS, 'OPTIONS'].filter((name) => !allowed.includes(name))) {
        // Before the credential: the order of docs/contract.md#errors.
        const answer = await service.nobody.rest(method, path);
        refused(answer, 405, 'method_not_allowed');
        expect(answer.headers.get('allow')?.split(', ').toSorted()).to.deep.equal(allowed.toSorted());
      }
      if (route.method !== 'GET') return;
      const head = await caller().rest('HEAD', path);
      expect([head.status, head.text]).to.deep.equal([200, '']);
    });

    it('refuses unknown and repeated parameters', async () => {
      const path = await pathOf(app);
      const answer = await ask(caller(), { path: `${path}?nonsense=1&constructor=2` });
      const { details } = refused(answer, 400, 'invalid_request');
      expect(details.map((detail: { field: string }) => detail.field)).to.deep.equal([
        'nonsense',
        'constructor',
      ]);
      if (!isList(route)) return;
      refused(await ask(caller(), { path: `${path}?limit=2&limit=2` }), 400, 'invalid_request');
      for (const limit of ['0', '101', '-1', '1.5', 'x', '', '1e1', '99999999999']) {
        refused(await ask(caller(), { path: `${path}?limit=${limit}` }), 400, 'invalid_request');
      }
      for (const cursor of ['', 'x', 'IjEi.AAAAAAAAAAAAAAAAAAAAAA', '%00', '%ff', 'a'.repeat(3000)]) {
        refused(await ask(caller(), { path: `${path}?cursor=${cursor}` }), 400, 'invalid_request');
      }
      for (const limit of ['1', '100'])
        expect((await ask(caller(), { path: `${path}?limit=${limit}` })).status).to.equal(200);
    });

    if (route.path.includes(':')) {
      it("answers another app's record like a missing one", async () => {
        const foreign = await pathOf(other);
        const own = await pathOf(app);
        const scoped = routeCase.needs !== 'admin' && !/ontology_id/.test(route.path);
        const paths = [
          ...(scoped ? [foreign] : []),
          route.path.replaceAll(/:\w+/g, NOBODYS),
          route.path.replaceAll(/:\w+/g, '%00'),
          route.path.replaceAll(/:\w+/g, '%F0%9F%92%A9'.repeat(50)),
        ];
        const answers = [];
        if (route.operation === 'putOntology') return;
        for (const path of paths) {
          const body = takesBody(route) ? await routeCase.body?.(app, service, own) : undefined;
          const answer = await caller().rest(route.method, path, body, { 'x-request-id': 'same' });
          refused(answer, 404, 'not_found');
          answers.push(answer.text);
        }
        expect(new Set(answers).size).to.equal(1);
      });
    }

    if (isMutation(route)) {
      it('requires an idempotency key before it reads the body', async () => {
        const wrong = takesBody(route) ? { body: '{', headers: { 'content-type': 'text/plain' } } : {};
        const withKey = (key: string): Promise<Answer> =>
          ask(caller(), { ...wrong, headers: { ...wrong.headers, 'idempotency-key': key } });
        refused(await withKey(''), 400, 'idempotency_key_required');
        for (const key of [
          'x'.repeat(15),
          'x'.repeat(256),
          `"${'x'.repeat(15)}"`,
          'with-a-tab\tand-more',
          'ümlaut-ümlaut-ümlaut',
        ])
          refused(await withKey(key), 400, 'idempotency_key_invalid');
      });

      it('replays its answer to the same key, status and headers too', async () => {
        const path = await pathOf(app);
        const body = takesBody(route) ? await routeCase.body?.(app, service, path) : undefined;
        const headers = { 'idempotency-key': `replay-of-${route.operation}-0001` };
        const first = await caller().rest(route.method, path, body, headers);
        const second = await caller().rest(route.method, path, body, {
          'idempotency-key': `"${headers['idempotency-key']}"`,
        });
        expect([second.status, second.text]).to.deep.equal([first.status, first.text]);
        expect(first.headers.get('idempotent-replayed')).to.equal(null);
        expect(second.headers.get('idempotent-replayed')).to.equal('true');
        expect(second.headers.get('location')).to.equal(first.headers.get('location'));
      });
    }

    if (route.method !== 'GET' && !takesBody(route)) {
      it('accepts an empty object as no body, and names every member of another body', async () => {
        const send = async (body: string, type = 'application/json'): Promise<Answer> =>
          ask(caller(), { path: await pathOf(app), body, headers: { 'content-type': type } });
        expect((await send('{}')).status).to.be.below(300);
        const { details } = refused(await send('{"expire":1,"__proto__x":null}'), 422, 'validation_failed');
        expect(details.map(({ code, field }: Json) => [code, field])).to.deep.equal([
          ['unknown_field', 'expire'],
          ['unknown_field', '__proto__x'],
        ]);
        for (const text of ['[]', 'null', '1', '"text"']) refused(await send(text), 422, 'validation_failed');
        for (const text of ['{', '{"a":1}x']) refused(await send(text), 400, 'invalid_request');
        refused(await send('{}', 'text/plain'), 415, 'unsupported_media_type');
        refused(await send(`"${'x'.repeat(1024 * 1024)}"`), 413, 'payload_too_large');
      });

      it('replays the answer of an empty body to an empty object', async () => {
        const path = await pathOf(app);
        const headers = { 'idempotency-key': `empty-of-${route.operation}-0001` };
        const first = await caller().rest(route.method, path, undefined, headers);
        const second = await caller().rest(route.method, path, {}, headers);
        expect([second.status, second.text]).to.deep.equal([first.status, first.text]);
        expect(second.headers.get('idempotent-replayed')).to.equal('true');
      });
    }

    if (takesBody(route)) {
      it('refuses bodies that are no JSON, of another type, too large, or not an object', async () => {
        const path = await pathOf(app);
        const send = (body: string, type = 'application/json'): Promise<Answer> =>
          ask(caller(), { path, body, headers: { 'content-type': type } });
        const plain = await send('{}', 'text/plain');
        refused(plain, 415, 'unsupported_media_type');
        const accepted = plain.headers.get(route.method === 'PATCH' ? 'accept-patch' : 'accept');
        expect(accepted?.split(', ')).to.include('application/json');
        refused(await send('{}', ''), 415, 'unsupported_media_type');
        refused(await send('{}', 'application/json; charset=latin1'), 415, 'unsupported_media_type');
        for (const text of ['{', '', '{"a":1}x', "{'a':1}", '\u0000', '[1,]', '{"a":\u0000}'])
          refused(await send(text || ' '), 400, 'invalid_request');
        const limit = route.bodyLimit ?? 1024 * 1024;
        refused(await send(`"${'x'.repeat(limit)}"`), 413, 'payload_too_large');
        for (const text of ['[]', '1', '"text"', 'true']) refused(await send(text), 422, 'validation_failed');
        if (route.optionalBody !== true) refused(await send('null'), 422, 'validation_failed');
      });

      it('names every unknown field', async () => {
        const path = await pathOf(app);
        const valid = await routeCase.body?.(app, service, path);
        const answer = await ask(caller(), {
          path,
          body: { ...valid, misspelled: 1, alsoWrong: null, ['__proto__x']: {} },
        });
        const { details } = refused(answer, 422, 'validation_failed');
        expect(details).to.have.deep.members(
          ['misspelled', 'alsoWrong', '__proto__x'].map((field) => ({
            code: 'unknown_field',
            message: 'is not a known field',
            field,
            documentation_url: `${service.url}/docs/errors#unknown_field`,
          })),
        );
      });
    }

    const { reference } = routeCase;
    if (reference !== undefined) {
      it("refuses another app's record in the body as unknown", async () => {
        const valid = await routeCase.body?.(app, service, await pathOf(app));
        for (const id of [await reference.foreign(other, service), NOBODYS]) {
          const answer = await ask(caller(), { body: { ...valid, [reference.field]: id } });
          const { details } = refused(answer, 422, 'validation_failed');
          expect(
            details.map(({ code, field }: { code: string; field: string }) => [code, field]),
          ).to.deep.equal([['unknown_reference', reference.field]]);
        }
      });
    }
  }
});

function statusesOf({ path, method }: Route): string[] {
  const { paths } = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as Json;
  return Object.keys(paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()].responses);
}

/** The error of an answer that must be a refusal in the house's shape. */
function refusal(answer: Answer, status: number, code: string): Answer['body'] {
  expect([answer.status, answer.body?.error?.code], answer.text.slice(0, 300)).to.deep.equal([status, code]);
  expect(Object.keys(answer.body)).to.deep.equal(['error']);
  expect(answer.body.error.message).to.match(/\S/);
  expect(answer.body.error.request_id).to.equal(answer.headers.get('x-request-id'));
  expect(answer.headers.get('cache-control')).to.equal('no-store');
  return answer.body.error;
}
