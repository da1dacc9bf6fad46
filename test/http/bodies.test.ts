import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { HeldBodies } from '../../src/concurrency/HeldBodies.js';
import { readBody } from '../../src/http/readBody.js';
import { collectGarbage } from '../support/collectGarbage.js';
import { listen } from '../support/listen.js';
import { freshKey, readAnswer } from '../support/TestPartner.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const QUERY = JSON.stringify({ query: '{ customers(first: 1) { nodes { externalId } } }' });

/** Media types of one meaning. */
const PLAIN = 'application/json';
const QUOTED = 'application/json; charset="utf-8"';

describe('Bodies of requests', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    for (let time = 0; time < 3; time += 1) await post(QUERY);
  });
  after(() => service.stop());

  async function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = { ...app.credentials, 'content-type': PLAIN, 'x-request-id': 'same', ...headers };
    return readAnswer(await fetch(`${service.url}/graphql`, { method: 'POST', headers: sent, body }));
  }

  /** A request whose body is only announced; what is sent of it is the test's to say. */
  async function announce(
    path: string,
    type: string,
    length: number,
    authorization: string,
  ): Promise<Announced> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nIdempotency-Key: ${freshKey()}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return { socket, answer: firstOf(socket) };
  }

  const credentialOf = (partner: TestPartner): string => partner.credentials['authorization'] ?? '';

  it('are refused when they arrive slowly and the token was revoked meanwhile', async () => {
    const customer = '{"external_id":"late"}';
    const partner = await service.narrowed(app);
    const requests: [string, string, string][] = [
      ['/graphql', PLAIN, QUERY],
      ['/graphql', QUOTED, QUERY],
      ['/v1/customers', PLAIN, customer],
    ];
    const slow = await Promise.all(
      requests.map(([path, type, body]) => announce(path, type, body.length, credentialOf(partner))),
    );
    for (const [index, { socket }] of slow.entries()) socket.write(requests[index]?.[2].slice(0, 5) ?? '');
    await sleep(100);
    await revokeToken(partner);
    await sleep(1200);
    for (const [index, { socket }] of slow.entries()) socket.write(requests[index]?.[2].slice(5) ?? '');
    const answers = await Promise.all(slow.map(({ answer }) => answer));
    for (const { socket } of slow) socket.destroy();
    for (const answer of answers) {
      expect(answer).to.match(/^HTTP\/1\.1 401 /);
      expect(answer).to.match(/"code":"unauthenticated"/i);
      expect(answer).to.include('WWW-Authenticate: Bearer').and.not.include('"data"');
    }
    expect((await app.rest('GET', '/v1/customers?external_id=late')).body.data).to.deep.equal([]);
  });

  it('are accepted when they arrive slowly and the token is still valid', async () => {
    for (const type of [PLAIN, QUOTED]) {
      const { socket, answer } = await announce('/graphql', type, QUERY.length, credentialOf(app));
      socket.write(QUERY.slice(0, 5));
      await sleep(1200);
      socket.write(QUERY.slice(5));
      expect(await answer).to.match(/^HTTP\/1\.1 200 /);
      socket.destroy();
    }
  });

  it('are refused beyond a number of bytes of their app, and small ones are not', async () => {
    const { services } = service;
    const { heldBodies } = services;
    services.heldBodies = new HeldBodies(1024 * 1024);
    const large = 400_000;
    const slow = await Promise.all(
      Array.from({ length: 6 }, () => announce('/v1/claims/batch', PLAIN, large, credentialOf(app))),
    );
    const answered: string[] = [];
    for (const { answer } of slow) void answer.then((text) => answered.push(text));
    for (const { socket } of slow) {
      socket.on('error', () => undefined);
      socket.write(Buffer.alloc(large - 1, ' '));
    }
    while (answered.length < 4) await sleep(20);
    expect((await post(QUERY)).status).to.equal(200);
    const padded = QUERY.padEnd(900_000);
    const refused = await post(padded);
    expect([refused.status, refused.body.errors[0].extensions.code]).to.deep.equal([429, 'RATE_LIMITED']);
    const other = await service.makeApp();
    const { status } = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { ...other.credentials, 'content-type': PLAIN },
      body: padded,
    });
    expect(status).to.equal(200);
    for (const text of answered) {
      expect(text)
        .to.match(/^HTTP\/1\.1 429 /)
        .and.include('Too many large bodies');
      expect(text).to.match(/^Retry-After: 1\r$/im);
    }
    expect(answered).to.have.length(4);
    for (const { socket } of slow) socket.destroy();
    while ((await post(padded)).status !== 200) await sleep(20);
    services.heldBodies = heldBodies;
  });

  async function revokeToken(partner: TestPartner): Promise<void> {
    const token = credentialOf(partner).replace('Bearer ', '');
    const basic = Buffer.from(`${partner.appId}:${partner.clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const body = new URLSearchParams({ token });
    const { status } = await fetch(`${service.url}/oauth/revoke`, { method: 'POST', headers, body });
    expect(status).to.equal(200);
  }

  it('are refused through both doors when they hold more values than anybody sends', async () => {
    const values = `[${'[],'.repeat(100_000)}[]]`;
    const bodies: [string, string][] = [
      ['/v1/claims/batch', `{"claims":${values}}`],
      ['/graphql', `{"query":"{ __typename }","variables":{"a":${values}}}`],
    ];
    for (const [path, body] of bodies) {
      const headers = { ...app.credentials, 'content-type': PLAIN, 'idempotency-key': freshKey() };
      const answer = await readAnswer(
        await fetch(`${service.url}${path}`, { method: 'POST', headers, body }),
      );
      expect(answer.status, path).to.equal(413);
      expect(answer.text).to.match(/"code":"payload_too_large"/i);
      expect(answer.text).to.include('200000 commas and opening brackets');
    }
    const packed = await post(gzipSync(bodies[1]?.[1] ?? ''), { 'content-encoding': 'gzip' });
    expect(packed.status).to.equal(413);
  });

  it('are refused before they are sent when announced as too large, and the connection ends', async () => {
    for (const [path, length] of [
      ['/v1/customers', 1024 * 1024 + 1],
      ['/v1/claims/batch', 5_000_000_000],
      ['/graphql', 4 * 1024 * 1024 + 1],
    ] as const) {
      const { socket, answer } = await announce(path, PLAIN, length, credentialOf(app));
      socket.write('{');
      const refused = await answer;
      expect(refused, path).to.match(/^HTTP\/1\.1 413 /);
      expect(refused).to.match(/"code":"payload_too_large"/i);
      expect(refused).to.match(/\r\nConnection: close\r\n/);
      // Whoever goes on sending can do so for a while, so that it comes to read the answer.
      await new Promise<void>((resolve) => socket.write('x'.repeat(200_000), () => resolve()));
      expect(socket.errored).to.equal(null);
      socket.end();
      await once(socket, 'close');
    }
  });

  it('are answered with 413 when too large, even if the client sends all of it first', async () => {
    for (const [path, length] of [
      ['/v1/customers', 6 * 1024 * 1024],
      ['/v1/claims/batch', 20 * 1024 * 1024],
      ['/graphql', 6 * 1024 * 1024],
    ] as const) {
      const { socket, answer } = await announce(path, PLAIN, length, credentialOf(app));
      socket.pause();
      const errors: Error[] = [];
      socket.on('error', (error) => errors.push(error));
      await new Promise<void>((resolve) => socket.write(Buffer.alloc(length, ' '), () => resolve()));
      socket.resume();
      expect(await answer, path).to.match(/^HTTP\/1\.1 413 /);
      expect(errors).to.deep.equal([]);
      if (!socket.closed) await once(socket, 'close');
    }
  });

  it('have their connection closed when they are not read and do not end', async () => {
    for (const [path, status] of [
      ['/v1/customers', 413],
      ['/v1/nowhere', 404],
    ] as const) {
      const { socket, answer } = await announce(path, PLAIN, 5_000_000_000, credentialOf(app));
      expect(await answer, path).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      if (!socket.closed) await once(socket, 'close');
    }
  });

  it('are answered with 400 when their Content-Encoding is false', async () => {
    for (const [encoding, body] of [
      ['gzip', Buffer.from('not gzip')],
      ['gzip', gzipSync(QUERY).subarray(0, 20)],
      ['deflate', Buffer.from('xx')],
      ['br', Buffer.from('not brotli')],
    ] as const) {
      const answer = await post(body, { 'content-encoding': encoding });
      expect([answer.status, answer.body.errors[0].extensions.code], encoding).to.deep.equal([
        400,
        'INVALID_REQUEST',
      ]);
      expect(answer.body.errors[0].extensions.requestId).to.equal('same');
    }
    for (const encoding of ['gzip', 'GZIP'])
      expect((await post(gzipSync(QUERY), { 'content-encoding': encoding })).status).to.equal(200);
    expect((await post(QUERY, { 'content-encoding': 'Identity' })).status).to.equal(200);
    const unknown = await post(QUERY, { 'content-encoding': 'zstd' });
    expect([unknown.status, unknown.headers.get('accept-encoding')]).to.deep.equal([
      415,
      'gzip, deflate, br',
    ]);
  });

  it('are decompressed in the turn of their app, one after the other', async () => {
    const { parseTurns } = service.services;
    const run = parseTurns.run.bind(parseTurns);
    let inWork = 0;
    const seen: number[] = [];
    parseTurns.run = (appId, work, weight) =>
      run(
        appId,
        async () => {
          seen.push((inWork += 1));
          const done = await work();
          inWork -= 1;
          return done;
        },
        weight,
      );
    try {
      const packed = gzipSync(QUERY);
      const answers = await Promise.all([1, 2, 3].map(() => post(packed, { 'content-encoding': 'gzip' })));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    } finally {
      parseTurns.run = run;
    }
    expect(seen).to.deep.equal([1, 1, 1]);
  });

  it('may begin with a byte order mark', async () => {
    const plain = await post(QUERY);
    for (const type of [PLAIN, QUOTED])
      expect((await post(`\ufeff${QUERY}`, { 'content-type': type })).text, type).to.equal(plain.text);
  });

  it('are refused in the same way with a credential that the route does not accept', async () => {
    const texts = new Set<string>();
    for (const type of [PLAIN, QUOTED])
      for (let time = 0; time < 3; time += 1) {
        const answer = await readAnswer(
          await fetch(`${service.url}/graphql`, {
            method: 'POST',
            headers: { ...service.admin.credentials, 'content-type': type, 'x-request-id': 'same' },
            body: QUERY,
          }),
        );
        expect(answer.status).to.equal(401);
        texts.add(answer.text);
      }
    expect([...texts]).to.have.length(1);
  });

  it('are refused when their media type is given twice', async () => {
    const { hostname, port } = new URL(service.url);
    for (const path of ['/v1/customers', '/graphql']) {
      const socket = connect(Number(port), hostname);
      const answer = firstOf(socket);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.credentials['authorization']}\r\n` +
          `Idempotency-Key: ${freshKey()}\r\nContent-Type: ${PLAIN}\r\nContent-Type: text/plain\r\n` +
          'Content-Length: 2\r\n\r\n{}',
      );
      expect(await answer, path).to.match(/^HTTP\/1\.1 400 .*The Content-Type header must be given once\./s);
      socket.destroy();
    }
  });

  it('are let go while the answer is still open', async () => {
    const kept: WeakRef<Buffer>[] = [];
    let settle = (): void => undefined;
    const open: unknown[] = [];
    const read = new Promise<void>((resolve) => (settle = resolve));
    const { origin, close } = await listen((request, response) => {
      open.push(request, response);
      request.on('data', (chunk: Buffer) => kept.push(new WeakRef(chunk)));
      void readBody(request, { limit: 1024 * 1024 }).then((body) => {
        kept.push(new WeakRef(body));
        settle();
      });
    });
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 600000\r\n\r\n${'x'.repeat(600_000)}`);
    await read;
    await collectGarbage();
    await collectGarbage();
    expect(kept.length).to.be.above(2);
    expect(kept.filter((one) => one.deref() !== undefined)).to.have.length.below(2);
    expect(open).to.have.length(2);
    socket.destroy();
    await close();
  });

  it('are not waited for once the client is gone', async () => {
    let settle = (_outcome: unknown): void => undefined;
    const outcome = new Promise((resolve) => (settle = resolve));
    const { origin, close } = await listen(async (request) => {
      await once(request.socket, 'close');
      settle(await readBody(request, { limit: 100 }).catch((error: unknown) => error));
    });
    connect(Number(new URL(origin).port), '127.0.0.1').end(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(await outcome).to.include({ code: 'invalid_request' });
    await close();
  });
});

interface Announced {
  socket: Socket;
  /** The answer, as soon as its body has begun. */
  answer: Promise<string>;
}

function firstOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('error', (error) => resolve(String(error)));
    socket.on('close', () => resolve(`no answer: ${text}`));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/\r\n\r\n./s.test(text)) resolve(text);
    });
  });
}
