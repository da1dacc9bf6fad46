import { connect } from 'node:net';
import { expect } from 'chai';
import { UPGRADE_LINES } from '../support/requestBytes.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const UPGRADE = `${UPGRADE_LINES.join('\r\n')}\r\n`;

const NODE = Number.parseInt(process.versions.node, 10);

describe('Requests that reach no handler', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  /** What comes back until the connection ends, to a text and then to another once the answer has begun. */
  function exchange(text: string, then = '', enough = /$^/): Promise<string> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let seen = '';
      socket.once('data', () => socket.write(then));
      socket.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        if (enough.test(seen)) socket.destroy();
      });
      socket.once('error', reject).once('close', () => resolve(seen));
    });
  }

  const authorization = (): string => `Authorization: ${app.credentials['authorization']}\r\n`;

  it('are refused with the Error body and a correlation id, and the connection ends', async () => {
    const chunked =
      `POST /v1/customers HTTP/1.1\r\nHost: x\r\n${authorization()}Idempotency-Key: ${'k'.repeat(20)}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const [what, status, text] of [
      [
        'large headers',
        431,
        `GET /v1/customers HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      ],
      ['no HTTP', 400, 'hello\r\n\r\n'],
      ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['two lengths', 400, chunked.replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\n')],
      ['a broken chunk', 400, `${chunked}zz\r\n{}\r\n`],
    ] as const) {
      const [head = '', body = ''] = (await exchange(text)).split('\r\n\r\n');
      expect(head, what).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head, what).to.match(/^Cache-Control: no-store\r$/m);
      const { error } = JSON.parse(body) as { error: Record<string, string> };
      expect(error, what).to.include({
        code: 'invalid_request',
        request_id: /^X-Request-Id: (.*)\r$/m.exec(head)?.[1],
        documentation_url: `${service.url}/docs/errors#invalid_request`,
      });
      expect(error['message'], what).to.match(/./);
    }
  });

  it('are refused after the answers to the requests before them', async () => {
    const post = (name: string): string => {
      const body = JSON.stringify({ external_id: name });
      const headers = `${authorization()}Idempotency-Key: ${'k'.repeat(20)}${name}\r\n`;
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      return `POST /v1/customers HTTP/1.1\r\nHost: x\r\n${headers}${type}\r\n${body}`;
    };
    const brokenBody = post('broken').replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    for (const [at, text] of ['BAD\r\n\r\n', brokenBody].entries()) {
      const seen = await exchange(post(`first-${at}`) + post(`second-${at}`) + text);
      expect(seen.match(/HTTP\/1\.1 \d+/g), text).to.deep.equal(
        [201, 201, 400].map((one) => `HTTP/1.1 ${one}`),
      );
    }
  });

  it('keep the correlation id of the request whose body is broken, which is in the request log', async () => {
    const seen = await exchange(
      `POST /v1/customers HTTP/1.1\r\nHost: x\r\n${authorization()}Idempotency-Key: ${'k'.repeat(20)}\r\n` +
        'X-Request-Id: broken-body\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    );
    expect(seen).to.match(/^X-Request-Id: broken-body\r$/m);
    for (;;) {
      const rows = await service.sql(`SELECT * FROM request_log WHERE request_id = 'broken-body'`);
      if (rows.length === 0) continue;
      expect(rows[0]).to.include({ status: 400, code: 'invalid_request', app_id: app.appId });
      return;
    }
  });

  it('are refused with the Error body when they have no Host, two, or one that names none', async () => {
    const get = async (hosts: string, version = '1.1'): Promise<[head: string, body: string]> => {
      const text = `GET /v1/openapi.json HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`;
      const [head = '', body = ''] = (await exchange(text)).split('\r\n\r\n');
      return [head, body];
    };
    const invalid = ['a b', 'a/b', 'a@b', 'a:x', 'a, b', '[::1'].map((value) => `Host: ${value}\r\n`);
    for (const hosts of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nhOST: a\r\n', ...invalid]) {
      const [head, body] = await get(hosts);
      expect(head, hosts).to.match(/^HTTP\/1\.1 400 /);
      const { error } = JSON.parse(body) as { error: Record<string, string> };
      expect(error, hosts).to.include({
        code: 'invalid_request',
        request_id: /^X-Request-Id: (.*)\r$/m.exec(head)?.[1],
      });
    }
    for (const host of ['a', '', 'a_b.example:80', 'a:', '192.0.2.1:1', '[::1]:80', 'xn--bcher-kva.example.'])
      expect((await get(`Host: ${host}\r\n`))[0], host).to.match(/^HTTP\/1\.1 200 /);
    expect((await get('', '1.0'))[0]).to.match(/^HTTP\/1\.1 200 /);
  });

  it('are refused when more than chunks of HTTP/1.1 frame their body; the connection ends', async () => {
    const body = JSON.stringify({ external_id: 'framed' });
    const post = (coding: string, version = '1.1'): string =>
      `POST /v1/customers HTTP/${version}\r\nHost: x\r\n${authorization()}Connection: keep-alive\r\n` +
      `Idempotency-Key: ${'k'.repeat(20)}framed\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: ${coding}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const behind = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const text of [
      post('gzip, chunked'),
      post('gzip'),
      post('gzip\r\nTransfer-Encoding: chunked'),
      post('chunked', '1.0'),
    ]) {
      const seen = await exchange(text + behind);
      expect(seen.match(/HTTP\/1\.1 \d+/g), text).to.deep.equal(['HTTP/1.1 400']);
      expect(seen, text)
        .to.include('"code":"invalid_request"')
        .and.match(/^Connection: close\r$/m);
    }
    const seen = await exchange(post('Chunked').replace('keep-alive', 'close'));
    expect(seen).to.match(/^HTTP\/1\.1 201 /);
  });

  it('do not include targets that are whole addresses, nor unknown expectations', async () => {
    for (const [target, status] of [
      ['http://any.example/v1/customers?limit=1', 200],
      ['HTTPS://any.example:1/v1/customers', 200],
      ['http://any.example/v1/nowhere', 404],
      ['http://any.example', 200],
      ['http://any.example?x=1', 200],
    ] as const) {
      const seen = await exchange(
        `GET ${target} HTTP/1.1\r\nHost: any.example\r\n${authorization()}Expect: nothing\r\n` +
          'Connection: close\r\n\r\n',
      );
      expect(seen, target).to.match(new RegExp(`^HTTP/1\\.1 ${status} .*\\{"(?:data|error|name)":`, 's'));
    }
  });

  it('are answered with the Error body when they are CONNECT, and the connection ends', async () => {
    const tunnel = 'CONNECT any.example:443 HTTP/1.1\r\nHost: any.example:443\r\n\r\nmore';
    const [head = '', body = ''] = (await exchange(tunnel)).split('\r\n\r\n');
    expect(head).to.match(/^HTTP\/1\.1 404 /);
    expect(head).to.match(/^Connection: close\r?$/m);
    expect((JSON.parse(body) as { error: Record<string, string> }).error).to.include({
      code: 'not_found',
      request_id: /^X-Request-Id: (.*)\r$/m.exec(head)?.[1],
    });
    const behind = await exchange(`GET /v1/customers HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n${tunnel}`);
    expect(behind.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('add nothing to an answer that is being sent', async () => {
    const customer = (await app.rest('POST', '/v1/customers', { external_id: 'stream' })).body.customer.id;
    const query = `subscription { consentChanged(customerId: "${customer}") { customerId } }`;
    const body = JSON.stringify({ query });
    const stream =
      `POST /graphql HTTP/1.1\r\nHost: x\r\n${authorization()}Accept: text/event-stream\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const seen = await exchange(stream, 'hello\r\n\r\n');
    expect(seen.match(/^HTTP\/1\.1 \d+/gm)).to.deep.equal(['HTTP/1.1 200']);
    expect(seen).to.not.include('invalid_request');
  });

  it('answer an upgrade to WebSocket where there is none as if none had been offered', async () => {
    const get = (path: string): Promise<string> =>
      exchange(`GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization()}${UPGRADE}\r\n`, '', /\}$/);
    expect(await get('/v1/customers')).to.match(/^HTTP\/1\.1 200 .*\{"data":\[/s);
    expect(await get('/v1/nowhere')).to.match(/^HTTP\/1\.1 404 .*\{"error":\{"code":"not_found",/s);
  });

  it('answer another method than GET at /graphql as if no upgrade had been offered', async () => {
    const send = (method: string, rest: string): Promise<string> =>
      exchange(`${method} /graphql HTTP/1.1\r\nHost: x\r\n${authorization()}${UPGRADE}${rest}`, '', /\}\s*$/);
    const body = '{"query":"{ __typename }"}';
    const posted = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await send('POST', posted)).to.match(/^HTTP\/1\.1 200 .*\{"data":\{"__typename":"Query"\}\}/s);
    expect(await send('PUT', '\r\n')).to.match(/^HTTP\/1\.1 405 .*\r\nAllow: GET, POST\r\n/s);
  });

  it('answer requests of one connection in their order when one of them offers an upgrade', async () => {
    const get = (headers: string): string =>
      `GET /v1/customers HTTP/1.1\r\nHost: x\r\n${authorization()}${headers}\r\n`;
    const last = get('Connection: close\r\n');
    const h2c = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
    const answers = async (text: string, enough?: RegExp): Promise<unknown> =>
      (await exchange(text, '', enough)).match(/HTTP\/1\.1 \d+/g);
    const three = /(HTTP.*){3}\}$/s;
    // Node 24 reads nothing of a connection behind an upgrade that it does not carry out.
    if (NODE < 24)
      expect(await answers(get('') + get(h2c) + last, three)).to.deep.equal(Array(3).fill('HTTP/1.1 200'));
    expect(await answers(get('') + get('') + get(h2c), three)).to.deep.equal(Array(3).fill('HTTP/1.1 200'));
    const closing = get('Connection: Upgrade, close\r\nUpgrade: h2c\r\n');
    expect(await exchange(closing, ''), 'ended by the service').to.match(/\r\nconnection: close\r\n/i);
    const socket = `GET /graphql HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`;
    expect(await answers(get('') + socket, /(HTTP.*){2}/s)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 101']);
  });
});
