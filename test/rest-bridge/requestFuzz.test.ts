import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { recordProof } from '../support/recordProof.js';
import type { TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { hostileText } from './hostileValues.js';
import { routeCases } from './routeCases.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const RUNS = IN_PROOFS ? 500 : 15;

/** Requests of one planted fault until it must have been found. Most are found by the hundredth. */
const RUNS_OF_FAULT = 3000;

interface MadeRequest {
  /** As it stands behind the question mark. */
  query: string;
  headers: (readonly [name: string, value: string])[];
}

const QUERY_NAMES = [
  'limit',
  'cursor',
  'customer_id',
  'consent_purpose',
  'category',
  'status',
  'type',
  'external_id',
  'external_id_prefix',
  'created_after',
  'ontology',
  'fields[isbn]',
  'fields',
  'foo',
  '__proto__',
];

const HEADER_NAMES = [
  'authorization',
  'idempotency-key',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'accept-language',
  'x-request-id',
  'x-service-admin-key',
  'x-forwarded-for',
  'x-http-method-override',
  'forwarded',
  'traceparent',
  'tracestate',
  'cookie',
  'origin',
  'if-none-match',
  'range',
];

const PLAUSIBLE = [
  'Bearer x',
  'Basic eDp5',
  'Bearer ',
  '*/*',
  'gzip',
  'de-DE,de;q=0.9',
  'application/json',
  'application/json; charset=utf-16',
  '127.0.0.1, 10.0.0.1',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'account_session=y; account_session=z',
  '"0123456789abcdef"',
  '"',
  'k'.repeat(300),
];

const queryValue = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('1', '100', '0', '-1', '1e3', '%', '%zz', '%ED%A0%80', '%00', 'a&limit=2', '', '+', '[]'),
);
const query = fc
  .array(
    fc.tuple(fc.constantFrom(...QUERY_NAMES), queryValue).map((both) => both.join('=')),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.join('&'));

/** What Node lets a client send: bytes, without control characters. */
const headerValue = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(charOf), maxLength: 40 }),
  fc.constantFrom(...PLAUSIBLE),
);
const made: fc.Arbitrary<MadeRequest> = fc.record({
  query,
  headers: fc.array(fc.tuple(fc.constantFrom(...HEADER_NAMES), headerValue), { maxLength: 5 }),
});

function charOf(code: number): string {
  return String.fromCodePoint(code === 0x7f ? 0x20 : code);
}

const hasTwice = ({ headers }: MadeRequest, name: string): boolean =>
  headers.filter(([one]) => one === name).length > 1;

/** Requests that a service might fail at. The generator must find each. */
const FAULTS: Record<string, (request: MadeRequest) => boolean> = {
  'NUL in a query': (request) => request.query.includes('%00'),
  'a query that cannot be decoded': (request) => /%(?:zz|&|$)/.test(request.query),
  'two Authorization headers': (request) => hasTwice(request, 'authorization'),
  'a key that is too long': ({ headers }) =>
    headers.some(([name, value]) => name === 'idempotency-key' && value.length > 255),
  'a header beyond ASCII': ({ headers }) =>
    headers.some(([, value]) => [...value].some((char) => char > '\u007f')),
  'a media type that is not ours': ({ headers }) => headers.some(([name]) => name === 'content-type'),
};

describe('Fuzzed queries and headers', () => {
  let service: TestService;
  let sent = 0;
  let found = 0;

  before(async () => {
    service = await TestService.start();
  });
  after(async () => {
    await service.stop();
    recordProof({
      proof: '../rest-bridge/requestFuzz',
      injected: `generated queries and headers, also twice and beyond ASCII, for ${allRoutes.length} routes`,
      times: sent,
      checked: 'nothing answers 5xx, every refusal has its code',
      figure: '0 × 5xx',
      broken: `${found} planted faults, such as NUL in a query, each found`,
    });
  });

  /** Its status and text. Not `fetch`, which joins headers that are sent twice. */
  function send(
    by: TestPartner,
    method: string,
    path: string,
    request: MadeRequest,
  ): Promise<[number, string]> {
    const own: [string, string][] = [['host', new URL(service.url).host], ...Object.entries(by.credentials)];
    if (method !== 'GET') own.push(['idempotency-key', freshKey()]);
    sent += 1;
    return new Promise((resolve, reject) => {
      const options = { method, path, headers: [...own, ...request.headers].flat() };
      const open = httpRequest(service.url, options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve([response.statusCode ?? 0, Buffer.concat(parts).toString()]));
      });
      open.on('error', reject);
      open.end();
    });
  }

  for (const route of allRoutes)
    it(`get a status below 500 from ${route.method} ${route.path}`, async function () {
      this.timeout(180_000 + RUNS * 1000);
      const routeCase = routeCases[route.operation];
      if (routeCase === undefined) throw new Error(`Add ${route.operation} to routeCases.ts.`);
      // Of its own: what is taken may change the app itself.
      const app = await service.makeApp();
      const by = routeCase.needs === 'admin' ? service.admin : app;
      const path = await routeCase.path(app, service);
      await fc.assert(
        fc.asyncProperty(made, async (request) => {
          const address = request.query === '' ? path : `${path}?${request.query}`;
          const [status, text] = await send(by, route.method, address, request);
          expect(status, text).to.be.within(200, 499);
          if (status >= 400) expect(JSON.parse(text), text).to.have.nested.property('error.code');
        }),
        { numRuns: RUNS },
      );
    });

  for (const [what, breaks] of Object.entries(FAULTS))
    it(`detect a service that fails at ${what}`, () => {
      const { failed } = fc.check(
        fc.property(made, (request) => !breaks(request)),
        { numRuns: RUNS_OF_FAULT },
      );
      expect(failed).to.equal(true);
      found += 1;
    });
});
