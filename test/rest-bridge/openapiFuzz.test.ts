import { expect } from 'chai';
import fc from 'fast-check';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { recordProof } from '../support/recordProof.js';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { readAnswer } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { DocumentFuzzer } from './DocumentFuzzer.js';
import type { DocumentedOperation, MadeRequest, OpenApiDocument } from './DocumentFuzzer.js';
import { routeCases } from './routeCases.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const RUNS = IN_PROOFS ? 400 : 10;

/** Requests after which a broken variant must have been noticed. Most are noticed by the third. */
const RUNS_OF_BROKEN = 200;

const pathOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

describe('The OpenAPI document compared with the service', () => {
  let service: TestService;
  let fuzzer: DocumentFuzzer;
  const seen = { operations: 0, requests: 0, variants: 0, deviations: 0 };

  before(async () => {
    service = await TestService.start({ RATE_LIMITS: 'off' });
    fuzzer = new DocumentFuzzer(
      (await service.nobody.rest('GET', '/v1/openapi.json')).body as OpenApiDocument,
    );
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') seen.deviations += 1;
  });
  after(async () => {
    await service.stop();
    recordProof({
      proof: '../rest-bridge/openapiFuzz',
      injected: `requests made up from the OpenAPI document, for ${seen.operations} operations`,
      times: seen.requests,
      checked:
        'every answer is one that the document describes; what it allows is taken, what it forbids is refused',
      figure: `${seen.deviations} deviations`,
      broken: `${seen.variants} variants of an answer or a verdict, each noticed`,
    });
  });

  async function fuzz(
    operation: DocumentedOperation,
    send: (request: MadeRequest) => Promise<Answer>,
    prepare?: (body: unknown) => unknown,
  ): Promise<void> {
    const count = (request: MadeRequest): Promise<Answer> => {
      seen.requests += 1;
      return send(request);
    };
    await fuzzer.fuzz(operation, RUNS, count, prepare);
    seen.operations += 1;
  }

  const searchOf = ({ query }: MadeRequest): string =>
    query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;

  for (const route of allRoutes)
    it(`describes what ${route.method} ${route.path} accepts and answers`, async function () {
      this.timeout(180_000 + RUNS * 2000);
      const routeCase = routeCases[route.operation];
      if (routeCase === undefined) throw new Error(`Add ${route.operation} to routeCases.ts.`);
      // Of its own: what is taken may change the app itself.
      const app = await service.makeApp();
      const by: TestPartner = routeCase.needs === 'admin' ? service.admin : app;
      const path = await routeCase.path(app, service);
      await fuzz(fuzzer.operation(route.method, pathOf(route.path)), (request) =>
        by.rest(route.method, path + searchOf(request), request.body),
      );
    });

  describe('beyond the routes', () => {
    const routed = new Set(allRoutes.map(({ path }) => pathOf(path)));
    let app: TestPartner;
    let others: [string, string, DocumentedOperation][];

    before(async () => {
      app = await service.makeApp();
      others = Object.entries(fuzzer.document.paths)
        .filter(([path]) => !routed.has(path))
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]): [string, string, DocumentedOperation] => [
            method.toUpperCase(),
            path,
            operation,
          ]),
        );
    });

    const basic = (secret: string): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${app.appId}:${secret}`).toString('base64')}`,
    });

    /** A client that shows its secret, one that shows another, and nobody. */
    const credentials = (): Record<string, string> =>
      fc.sample(
        fc.constantFrom(basic(app.clientSecret), basic(app.clientSecret), basic('wrong'), {}),
        1,
      )[0] ?? {};

    async function ask(method: string, path: string, request: MadeRequest): Promise<Answer> {
      const isForm = request.body !== undefined;
      return readAnswer(
        await fetch(service.url + path + searchOf(request), {
          method,
          redirect: 'manual',
          headers: isForm ? credentials() : {},
          ...(isForm ? { body: new URLSearchParams(request.body as Record<string, string>) } : {}),
        }),
      );
    }

    it('describes what OAuth and discovery accept and answer', async function () {
      this.timeout(180_000 + RUNS * 10_000);
      expect(others.map(([, path]) => path)).to.include.members([
        '/oauth/authorize',
        '/oauth/token',
        '/oauth/introspect',
        '/oauth/revoke',
        '/oauth/jwks',
        '/.well-known/oauth-authorization-server',
        '/.well-known/openid-configuration',
        '/.well-known/oauth-protected-resource',
        '/v1/openapi.json',
      ]);
      for (const [method, path, operation] of others)
        await fuzz(operation, (request) => ask(method, path, request), ofGrant).catch((error: unknown) => {
          throw new Error(`${method} ${path}: ${causeOf(error)}`, { cause: error });
        });
    });

    it('describes the tokens of a client', async () => {
      const token = fuzzer.operation('POST', '/oauth/token');
      const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'customers:read' });
      const headers = basic(app.clientSecret);
      const answer = await readAnswer(
        await fetch(`${service.url}/oauth/token`, { method: 'POST', headers, body: form }),
      );
      expect(answer.status).to.equal(200);
      fuzzer.checkAnswer(token, answer);
      for (const path of ['/oauth/introspect', '/oauth/revoke']) {
        const body = new URLSearchParams({ token: answer.body.access_token as string });
        const examined = await readAnswer(await fetch(service.url + path, { method: 'POST', headers, body }));
        expect(examined.status).to.equal(200);
        fuzzer.checkAnswer(fuzzer.operation('POST', path), examined);
      }
    });

    it('describes the refusals of introspection, and which of them have a challenge', async () => {
      const documented = fuzzer.operation('POST', '/oauth/introspect');
      const headers = basic(app.clientSecret);
      const token = new URLSearchParams({ token: 'x' });
      const refusals: [number, RequestInit][] = [
        [400, { headers, body: new URLSearchParams() }],
        [401, { headers: basic('wrong'), body: token }],
        [413, { headers, body: new URLSearchParams({ token: 'x'.repeat(60 * 1024) }) }],
        [415, { headers: { ...headers, 'content-type': 'application/json' }, body: '{"token":"x"}' }],
      ];
      for (const [status, request] of refusals) {
        const url = `${service.url}/oauth/introspect`;
        const answer = await readAnswer(await fetch(url, { method: 'POST', ...request }));
        expect(answer.status, answer.text).to.equal(status);
        fuzzer.checkAnswer(documented, answer);
        const { headers: described = {} } = documented.responses[String(status)] ?? {};
        expect('WWW-Authenticate' in described, String(status)).to.equal(
          answer.headers.has('www-authenticate'),
        );
      }
    });

    it('describes 405 for other methods', async () => {
      for (const [method, path, operation] of others.filter(([, , { responses }]) => '405' in responses))
        for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => one !== method)) {
          const answer = await ask(other, path, { query: [], body: undefined });
          expect(answer.status, `${other} ${path}`).to.equal(405);
          expect(answer.headers.get('allow'), `${other} ${path}`).to.include(method);
          fuzzer.checkAnswer(operation, answer);
        }
    });
  });

  describe('notices', () => {
    let app: TestPartner;
    let created: Json;

    before(async () => {
      app = await service.makeApp();
      created = (await app.rest('POST', '/v1/customers', { external_id: 'taken' })).body;
    });

    const answered = (answer: Answer, status: number, body: Json): Answer => ({
      ...answer,
      status,
      body,
      text: JSON.stringify(body),
    });
    const refusal = (code: string, field: string): Json => ({
      error: {
        code: 'validation_failed',
        message: 'The request is not valid.',
        request_id: 'req_x',
        documentation_url: 'http://localhost/docs',
        details: [{ code, message: 'no', field }],
      },
    });

    /** Faults of a service, each as a change of the right answer. */
    const BROKEN: Record<string, [(answer: Answer) => Answer, RegExp]> = {
      'a status that is not documented': [
        (answer) => answered(answer, 418, answer.body),
        /418 is not documented/,
      ],
      'a member of another type': [
        (answer) =>
          answer.status < 300 ? answered(answer, answer.status, { ...answer.body, status: 7 }) : answer,
        /status must be/,
      ],
      'a member that is missing': [
        (answer) => (answer.status < 300 ? answered(answer, answer.status, { status: 'created' }) : answer),
        /must have required property 'customer'/,
      ],
      'an error without its code': [
        ({ ...answer }) =>
          answer.status >= 400
            ? answered(answer, answer.status, { error: { ...answer.body.error, code: 'oops' } })
            : answer,
        /must be equal to one of the allowed values/,
      ],
      'a body that is no JSON': [
        (answer) => ({ ...answer, headers: new Headers({ 'content-type': 'text/plain' }) }),
        /text\/plain is not documented/,
      ],
      'what is forbidden being taken': [
        (answer) => (answer.status === 422 ? answered(answer, 201, created) : answer),
        /The document forbids it, and it was answered 201/,
      ],
      'what is allowed being refused': [
        (answer) =>
          answer.status < 300 ? answered(answer, 422, refusal('too_short', 'external_id')) : answer,
        /The document allows it, and it was refused/,
      ],
      'a failure of the service': [
        (answer) => (answer.status < 300 ? answered(answer, 500, answer.body) : answer),
        /./,
      ],
    };

    for (const [what, [broken, message]] of Object.entries(BROKEN))
      it(what, async () => {
        const operation = fuzzer.operation('POST', '/v1/customers');
        const failure = await fuzzer
          .fuzz(operation, RUNS_OF_BROKEN, async ({ body }) =>
            broken(await app.rest('POST', '/v1/customers', body)),
          )
          .then(
            () => 'nothing',
            (error: unknown) => causeOf(error),
          );
        expect(failure).to.match(message);
        expect(failure).to.not.equal('nothing');
        seen.variants += 1;
      });
  });
});

/** A form without the members of another grant, which the token endpoint does not look at. */
function ofGrant(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('grant_type' in body)) return body;
  const grant = body.grant_type;
  const others = [
    ...(grant === 'authorization_code' ? [] : ['code', 'redirect_uri', 'code_verifier']),
    ...(grant === 'refresh_token' ? [] : ['refresh_token']),
  ];
  return Object.fromEntries(Object.entries(body).filter(([name]) => !others.includes(name)));
}

/** What fast-check says of the case that failed. */
function causeOf(error: unknown): string {
  return String(error instanceof Error ? (error.cause ?? error) : error);
}
