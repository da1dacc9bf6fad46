import { expect } from 'chai';
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, grant, makeCustomer } from '../support/records.js';

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

describe('Requests and their headers', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  /** Headers and bodies that `fetch` would not send. */
  function raw(
    method: string,
    path: string,
    headers: Record<string, string | string[]> = {},
    chunks: (string | Buffer)[] = [],
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        service.url,
        { method, path, headers: { ...app.credentials, ...headers } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      sent.on('error', reject);
      for (const chunk of chunks) sent.write(chunk);
      sent.end();
    });
  }

  const codeOf = ({ status, text }: RawAnswer): [number, string] => [
    status,
    (JSON.parse(text) as { error: { code: string } }).error.code,
  ];

  describe('RateLimit', () => {
    it('stands in the OpenAPI document for every answer that has it', async () => {
      const node = await service.addNode({ RATE_LIMITS: 'read=1000' });
      const own = app.at(node);
      const customer = await makeCustomer(own);
      const profile = `/v1/profiles/${customer}`;
      const basic = Buffer.from(`${own.appId}:${own.clientSecret}`).toString('base64');
      const token = await fetch(`${node}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const sessions = '/v1/connection-sessions';
      const answers: [string, string, { status: number; headers: Headers }][] = [
        ['get', '/v1/profiles/{customer_id}', await own.rest('GET', `${profile}?consent_purpose=analytics`)],
        ['get', '/v1/profiles/{customer_id}', await own.rest('GET', '/v1/profiles/cus_1')],
        ['get', '/v1/profiles/{customer_id}', await own.rest('GET', `${profile}?nothing=1`)],
        ['post', sessions, await own.rest('POST', sessions, {})],
        ['get', `${sessions}/{session_id}`, await own.rest('GET', `${sessions}/cs_1`)],
        ['post', '/oauth/token', token],
      ];
      const { body } = await own.rest('GET', '/v1/openapi.json');
      const told = answers.map(([method, path, { status, headers }]) => {
        const described = Object.keys(body.paths[path][method].responses[status].headers as object);
        const isIn = (name: string): [boolean, boolean] => [headers.has(name), described.includes(name)];
        return [path, status, ...isIn('RateLimit'), ...isIn('RateLimit-Policy')];
      });
      expect(told).to.deep.equal(
        answers.map(([, path, { status }]) => [path, status, true, true, true, true]),
      );
      expect(answers.map(([, , { status }]) => status)).to.deep.equal([403, 404, 400, 422, 404, 200]);
    });
  });

  describe('X-Request-Id', () => {
    it('is the well-formed id of the request on every path', async () => {
      for (const id of ['a', 'A-z.0_9:x', 'x'.repeat(128)]) {
        for (const path of [
          '/v1/customers',
          '/v1/nowhere',
          '/graphql?query={__typename}',
          '/oauth/token',
          '/healthz',
          '/',
        ]) {
          expect((await raw('GET', path, { 'x-request-id': id })).headers['x-request-id'], path).to.equal(id);
        }
      }
    });

    it('is a new id for a missing or malformed one', async () => {
      const seen = new Set<string>();
      for (const id of ['', ' ', 'a b', 'x'.repeat(129), 'a/b', 'é', '<script>', 'a,b', ['a', 'b']]) {
        const { headers, text } = await raw('GET', '/v1/nowhere', { 'x-request-id': id });
        const given = String(headers['x-request-id']);
        expect(given).to.match(/^req_[A-Za-z0-9-]{16,}$/);
        expect((JSON.parse(text) as { error: { request_id: string } }).error.request_id).to.equal(given);
        seen.add(given);
      }
      expect(seen.size).to.equal(9);
    });
  });

  describe('bodies', () => {
    const send = (
      headers: Record<string, string | string[]>,
      chunks: (string | Buffer)[],
    ): Promise<RawAnswer> =>
      raw(
        'POST',
        '/v1/customers',
        { 'idempotency-key': freshKey(), 'content-type': 'application/json', ...headers },
        chunks,
      );

    it('are empty without chunks', async () => {
      const chunked = { 'idempotency-key': freshKey(), 'transfer-encoding': 'chunked' };
      const rotate = `/v1/apps/${app.appId}/rotate-secret`;
      expect((await raw('POST', rotate, chunked)).status).to.equal(200);
      const typed = { ...chunked, 'content-type': 'application/json', 'idempotency-key': freshKey() };
      expect((await raw('POST', rotate, typed)).status).to.equal(200);
      const ontology = '/v1/ontologies/nowhere/rebuild';
      expect(
        codeOf(await raw('POST', ontology, { ...chunked, 'idempotency-key': freshKey() })),
      ).to.deep.equal([404, 'not_found']);
      expect(
        codeOf(await raw('POST', '/v1/customers', { ...chunked, 'idempotency-key': freshKey() })),
      ).to.deep.equal([400, 'invalid_request']);
      for (const path of [rotate, ontology, '/v1/customers'])
        expect(
          codeOf(await raw('POST', path, { ...chunked, 'idempotency-key': freshKey() }, ['{}'])),
        ).to.deep.equal([415, 'unsupported_media_type']);
    });

    it('may come in chunks, with a byte order mark, in any case of the media type', async () => {
      expect((await send({}, ['{"external', '_id":"chunk', 'ed"}'])).status).to.equal(201);
      expect(
        (
          await send({ 'content-type': 'Application/JSON; Charset="UTF-8"' }, [
            Buffer.from('\ufeff{"external_id":"bom"}'),
          ])
        ).status,
      ).to.equal(201);
    });

    it('must be UTF-8, uncompressed and whole', async () => {
      expect(codeOf(await send({}, [Buffer.from('{"external_id":"\xff"}', 'latin1')]))).to.deep.equal([
        400,
        'invalid_request',
      ]);
      const compressed = await send({ 'content-encoding': 'gzip' }, [gzipSync('{"external_id":"zip"}')]);
      expect(codeOf(compressed)).to.deep.equal([415, 'unsupported_media_type']);
      expect(compressed.headers['accept-encoding']).to.equal('identity');
      expect(codeOf(await send({}, []))).to.deep.equal([400, 'invalid_request']);
    });

    it('are refused when too large, whether the length was announced or not', async () => {
      const large = `{"external_id":"${'x'.repeat(1024 * 1024)}"}`;
      expect(codeOf(await send({}, [large]))).to.deep.equal([413, 'payload_too_large']);
      expect(codeOf(await send({ 'content-length': String(large.length) }, [large]))).to.deep.equal([
        413,
        'payload_too_large',
      ]);
      const batch = await app.rest(
        'POST',
        '/v1/claims/batch',
        `{"claims":[${JSON.stringify({ x: 'x'.repeat(2_000_000) })}]}`,
      );
      expect(batch.status, 'batches may have 4 MiB').to.equal(202);
    });

    it('are read up to exactly the limit', async () => {
      const start = '{"external_id":"limit","metadata":{}';
      const answer = await app.rest(
        'POST',
        '/v1/customers',
        `${start}${' '.repeat(1024 * 1024 - start.length - 1)}}`,
      );
      expect(answer.status).to.equal(201);
    });

    it('have no effect when cut off in the middle', async () => {
      const { hostname, port } = new URL(service.url);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.credentials['authorization']}\r\nIdempotency-Key: ${freshKey()}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"external_id":"cut"`,
          );
          setTimeout(() => socket.destroy(), 30);
        });
        socket.on('close', () => resolve());
      });
      expect(expectStatus(await app.rest('GET', '/v1/customers?external_id=cut'), 200).data).to.deep.equal(
        [],
      );
    });
  });

  describe('paths', () => {
    it('are distinguished by case and segment, and never answered with 500', async () => {
      const customer = await makeCustomer(app);
      expect((await raw('GET', `/v1/customers/${customer}`)).status).to.equal(200);
      for (const path of [
        '/v1',
        '/v1/',
        '/V1/customers',
        '/v1/Customers',
        '//v1/customers',
        '/v1//customers',
        '/v1/customers//',
        `/v1/customers/${customer}/x`,
        '/v1/customers/..%2f..%2fetc',
        '/v1/customers/%2e%2e',
        '/v1/customers/%00',
        '/v1/constructor',
        '/v1/__proto__',
        `/v1/customers/${'x'.repeat(4000)}`,
      ])
        expect(codeOf(await raw('GET', path)), path).to.deep.equal([404, 'not_found']);
      for (const headers of [{}, { origin: 'https://dashboard.example' }]) {
        for (const path of [
          '/v1/customers/%zz',
          '/v1/customers/%ff',
          '/v1/customers/%E0%A4%A',
          '/v1/profiles/%ff/claims',
        ])
          expect(codeOf(await raw('GET', path, headers)), path).to.deep.equal([400, 'invalid_request']);
        expect(codeOf(await raw('GET', '/v1/%', headers))).to.deep.equal([404, 'not_found']);
      }
      for (const query of ['%zz=1', 'external_id=%ff', 'external_id=%E0%A4%A', 'external_id=100%'])
        expect(codeOf(await raw('GET', `/v1/customers?${query}`)), query).to.deep.equal([
          400,
          'invalid_request',
        ]);
      for (const query of ['external_id=%EF%BF%BD', 'external_id=100%25+%C3%A9'])
        expect((await raw('GET', `/v1/customers?${query}`)).status, query).to.equal(200);
      for (const path of [
        '/v1/customers?=',
        '/v1/customers?limit',
        '/v1/customers?__proto__=1',
        '/v1/customers?limit[a]=1',
      ])
        expect((await raw('GET', path)).status, path).to.be.oneOf([200, 400]);
    });

    it('answer HEAD as GET without a body', async () => {
      const get = await raw('GET', '/v1/customers');
      const head = await raw('HEAD', '/v1/customers');
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers['content-length']).to.equal(String(Buffer.byteLength(get.text)));
      expect(head.headers['content-type']).to.equal(get.headers['content-type']);
      expect((await raw('HEAD', '/v1/customers/cus_nobody')).status).to.equal(404);
    });
  });

  describe('answers', () => {
    it('have a Location only with 201 and 202', async () => {
      const customer = await app.rest('POST', '/v1/customers', { external_id: 'located' });
      expect(customer.headers.get('location')).to.equal(`/v1/customers/${customer.body.customer.id}`);
      const receipt = await app.rest('POST', '/v1/consent-receipts', {
        customer_id: customer.body.customer.id,
        purposes: ['support'],
      });
      expect(receipt.headers.get('location')).to.equal(`/v1/consent-receipts/${receipt.body.id}`);
      const revoked = await app.rest('POST', `/v1/consent-receipts/${receipt.body.id}/revoke`);
      expect(revoked.headers.get('location')).to.equal(revoked.body.status_url);
      expect((await app.rest('GET', '/v1/customers')).headers.get('location')).to.equal(null);
      expect(
        (await app.rest('PATCH', `/v1/customers/${customer.body.customer.id}`, {})).headers.get('location'),
      ).to.equal(null);
    });

    it('forbid caching and do not name the server software', async () => {
      const id = await makeCustomer(app);
      await grant(app, id, 'support');
      for (const path of ['/v1/customers', `/v1/profiles/${id}`, '/v1/customers/cus_nobody', '/v1/nowhere']) {
        const { headers } = await raw('GET', path);
        expect(headers['cache-control'], path).to.equal('no-store');
        expect(headers, path).to.not.have.any.keys('etag', 'x-powered-by', 'server');
        expect(headers['content-type'], path).to.equal('application/json; charset=utf-8');
      }
    });

    it('challenge with Basic at the token endpoints and with Bearer elsewhere', async () => {
      const { paths } = (await app.rest('GET', '/v1/openapi.json')).body;
      for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke']) {
        expect(paths[path].post.responses[401].headers, path).to.include.keys('WWW-Authenticate');
        const response = await fetch(service.url + path, {
          method: 'POST',
          headers: { authorization: 'Basic eDp5' },
          body: new URLSearchParams({ grant_type: 'client_credentials', token: 'x' }),
        });
        expect(response.status, path).to.equal(401);
        expect(response.headers.get('www-authenticate'), path).to.match(/^Basic /);
      }
      for (const authorization of [
        '',
        'Bearer',
        'Bearer ',
        'bearer x y',
        'Token x',
        'Bearer \u00e9',
        `Bearer ${'a'.repeat(5000)}`,
      ]) {
        const answer = await raw('GET', '/v1/customers', {
          authorization: Buffer.from(authorization).toString('latin1'),
        });
        expect(codeOf(answer), authorization).to.deep.equal([401, 'unauthenticated']);
        expect(answer.headers['www-authenticate']).to.match(/^Bearer /);
      }
      const lower = app.credentials['authorization']?.replace('Bearer', 'bearer') ?? '';
      expect(
        (await raw('GET', '/v1/customers', { authorization: lower })).status,
        'the scheme is case-insensitive',
      ).to.equal(200);
    });

    it('report an invalid token, and only challenge without a token', async () => {
      const challengeOf = async (authorization: string): Promise<string | undefined> => {
        const answer = await raw('GET', '/v1/customers', { authorization });
        expect(codeOf(answer)).to.deep.equal([401, 'unauthenticated']);
        return answer.headers['www-authenticate'];
      };
      for (const authorization of ['Bearer x', `Bearer ${'a'.repeat(43)}`])
        expect(await challengeOf(authorization)).to.match(/^Bearer realm="[^"]+", error="invalid_token"$/);
      for (const authorization of ['', 'Basic eDp5'])
        expect(await challengeOf(authorization)).to.match(/^Bearer realm="[^"]+"$/);
      const refused = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body: '{"query":"{ viewer { kind } }"}',
      });
      expect(refused.headers.get('www-authenticate')).to.include('error="invalid_token"');
    });

    it('refuse two idempotency keys, also the same one twice', async () => {
      const [one, other] = [freshKey(), freshKey()];
      for (const keys of [
        [one, other],
        [one, one],
      ])
        expect(
          codeOf(
            await raw(
              'POST',
              '/v1/customers',
              { 'idempotency-key': keys, 'content-type': 'application/json' },
              ['{"external_id":"two-keys"}'],
            ),
          ),
        ).to.deep.equal([400, 'idempotency_key_invalid']);
      const headers = { 'idempotency-key': `${one}, ${other}`, 'content-type': 'application/json' };
      expect((await raw('POST', '/v1/customers', headers, ['{"external_id":"comma"}'])).status).to.equal(201);
    });

    it('have status 503 and Retry-After while the database is unreachable, and recover', async () => {
      const before = await raw('GET', '/v1/customers');
      const database = new URL(service.database.serviceUrl).pathname.slice(1);
      // Owners of all may still connect: to end this again.
      await service.sql(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
      await service.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1
          AND pid <> pg_backend_pid()`,
        [database],
      );
      try {
        let answer = await raw('GET', '/v1/customers');
        while (answer.status === 200) answer = await raw('GET', '/v1/customers');
        expect(codeOf(answer)).to.deep.equal([503, 'unavailable']);
        expect(Number(answer.headers['retry-after'])).to.be.above(0);
        const graphql = await app.graphql('{ customers { nodes { id } } }');
        expect(graphql.text).to.include('UNAVAILABLE').and.not.include('connections');
        expect((await fetch(`${service.url}/readyz`)).status).to.equal(503);
        expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
      } finally {
        await service.sql(`ALTER DATABASE ${database} CONNECTION LIMIT -1`);
      }
      expect((await raw('GET', '/v1/customers')).text).to.equal(before.text);
    });
  });
});
