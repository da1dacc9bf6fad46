import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { AttemptFailure } from '../../../src/jobs/webhooks/AttemptFailure.js';
import type { ReceiverNetwork } from '../../../src/jobs/webhooks/connectToReceiver.js';
import { ReceiverConnections } from '../../../src/jobs/webhooks/ReceiverConnections.js';
import { postWebhook } from '../../../src/jobs/webhooks/postWebhook.js';
import type { Answer, Send, WebhookRequest } from '../../../src/jobs/webhooks/postWebhook.js';
import { selfSignedCertificate } from '../../support/selfSignedCertificate.js';
import { TestReceiver, hanging, ok, status } from '../../support/TestReceiver.js';

const LOCAL: ReceiverNetwork = { policy: { allowLoopback: true, allowHttp: true }, resolve: async () => [] };
const request = {
  decide: (send: Send): Promise<void> => send({ headers: { 'x-test': '1' }, body: '{"a":1}' }),
};

async function post(
  url: string,
  more: Partial<WebhookRequest> = {},
  network = LOCAL,
): Promise<Answer | null> {
  return postWebhook({ ...request, url, ...more }, new ReceiverConnections(network));
}

async function failure(url: string, more: Partial<WebhookRequest> = {}, network = LOCAL): Promise<string> {
  try {
    await post(url, more, network);
    return 'none';
  } catch (error) {
    return error instanceof AttemptFailure ? error.code : String(error);
  }
}

/** A server that speaks raw bytes, for answers that no HTTP server would give. */
async function rawServer(answer: (socket: Socket) => void): Promise<{ url: string; stop: () => void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}

describe('postWebhook', () => {
  let receiver: TestReceiver;
  before(async () => (receiver = await TestReceiver.start()));
  beforeEach(() => {
    receiver.answer = ok;
    receiver.received.length = 0;
  });
  after(() => receiver.stop());

  it('posts the body with its headers and reads the answer', async () => {
    const answer = await post(receiver.url('/hook?a=b'));
    expect(answer?.statusCode).to.equal(200);
    expect(answer?.body.toString()).to.equal('{"ok":true}');
    const [received] = receiver.received;
    expect(received).to.include({ path: '/hook?a=b', body: '{"a":1}' });
    expect(received?.headers).to.include({
      'x-test': '1',
      host: `127.0.0.1:${receiver.port}`,
      'content-length': '7',
      connection: 'keep-alive',
    });
  });

  it('follows no redirect', async () => {
    receiver.answer = status(307, { location: receiver.url('/elsewhere') });
    expect((await post(receiver.url()))?.statusCode).to.equal(307);
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/']);
  });

  it('returns the Retry-After header', async () => {
    receiver.answer = status(429, { 'retry-after': '7' });
    expect(await post(receiver.url())).to.include({ statusCode: 429, retryAfter: '7' });
  });

  it('cuts an endless answer at 1 KB and closes the connection', async () => {
    const closed = new Promise<void>((resolve) => {
      receiver.answer = (_received, response) => {
        response.writeHead(200);
        const more = (): void => {
          while (response.write('x'.repeat(1000)));
        };
        response.on('drain', more);
        response.on('close', resolve);
        more();
      };
    });
    const answer = await post(receiver.url());
    expect(answer?.body.toString()).to.equal('x'.repeat(1024));
    await closed;
  });

  it('returns the status of an answer whose body never ends', async () => {
    receiver.answer = (_received, response) => response.writeHead(200).write('dripping');
    const answer = await post(receiver.url());
    expect(answer).to.include({ statusCode: 200 });
    expect(answer?.body.toString()).to.equal('dripping');
  });

  it('fails with a timeout when the receiver hangs', async () => {
    receiver.answer = hanging;
    expect(await failure(receiver.url(), { timeoutMs: 100 })).to.equal('timeout');
  });

  it('counts no wait for the decision as the receiver’s', async () => {
    const decide: WebhookRequest['decide'] = async (send) => {
      await new Promise((wake) => setTimeout(wake, 1100));
      await request.decide(send);
    };
    expect((await post(receiver.url(), { timeoutMs: 1000, decide }))?.statusCode).to.equal(200);
  });

  it('fails when the receiver sends endless headers', async () => {
    const endless = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void =>
        void (socket.writable && socket.write(`x-${'y'.repeat(100)}: 1\r\n`, () => setImmediate(more)));
      more();
    });
    expect(await failure(endless.url)).to.equal('invalid_answer');
    endless.stop();
  });

  it('fails on answers that are not HTTP, upgrades and broken connections', async () => {
    const answers = {
      nonsense: 'invalid_answer',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n': 'invalid_answer',
      '': 'connection_failed',
    };
    for (const [text, code] of Object.entries(answers)) {
      const server = await rawServer((socket) => socket.end(text));
      expect(await failure(server.url), text).to.equal(code);
      server.stop();
    }
  });

  it('reports a port where nothing listens', async () => {
    const server = await rawServer(() => undefined);
    server.stop();
    expect(await failure(server.url)).to.equal('connection_failed');
  });

  it('sends nothing when the request is withdrawn after connecting', async () => {
    expect(await post(receiver.url(), { decide: async () => undefined })).to.equal(null);
    expect(receiver.received).to.deep.equal([]);
  });

  it('passes on an error of the decision', async () => {
    const decide = async (): Promise<never> => {
      throw new Error('no database');
    };
    expect(await failure(receiver.url(), { decide })).to.equal('Error: no database');
  });

  it('fails as interrupted when the service stops', async () => {
    receiver.answer = hanging;
    const stop = new AbortController();
    const result = failure(receiver.url(), { signal: stop.signal });
    stop.abort();
    expect(await result).to.equal('interrupted');
  });

  it('ignores proxies of the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      expect((await post(receiver.url()))?.statusCode).to.equal(200);
    } finally {
      process.env = before;
    }
  });
});

describe('postWebhook over a kept connection', () => {
  let connections: ReceiverConnections;
  beforeEach(() => (connections = new ReceiverConnections(LOCAL)));
  afterEach(() => connections.close());

  /** Answers the first request of each connection, and closes it when a second one comes. */
  async function forgetful(): Promise<{ url: string; stop: () => void; served: () => number }> {
    let served = 0;
    const server = await rawServer((socket) => {
      served += 1;
      socket.once('data', () => socket.destroy());
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    return { ...server, served: () => served };
  }

  it('posts to the same URL one after the other, and to another URL over its own', async () => {
    const receiver = await TestReceiver.start();
    for (const path of ['/a', '/a', '/b', '/a'])
      expect((await postWebhook({ ...request, url: receiver.url(path) }, connections))?.statusCode).to.equal(
        200,
      );
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/a', '/a', '/b', '/a']);
    expect(receiver.connections).to.equal(2);
    await receiver.stop();
  });

  it('never posts two at once over one', async () => {
    const receiver = await TestReceiver.start();
    const post = (): Promise<Answer | null> => postWebhook({ ...request, url: receiver.url() }, connections);
    // The first one leaves a connection that all three could take.
    await post();
    const answers = await Promise.all([post(), post(), post()]);
    expect(answers.map((answer) => answer?.statusCode)).to.deep.equal([200, 200, 200]);
    expect(receiver.connections).to.equal(3);
    await receiver.stop();
  });

  it('posts again over a new one when the receiver closes it without an answer', async () => {
    const server = await forgetful();
    for (let post = 0; post < 3; post += 1)
      expect((await postWebhook({ ...request, url: server.url }, connections))?.statusCode).to.equal(204);
    expect(server.served()).to.equal(3);
    server.stop();
  });

  it('asks again whether to send before it posts again', async () => {
    const server = await forgetful();
    await postWebhook({ ...request, url: server.url }, connections);
    let asked = 0;
    const decide = async (send: Send): Promise<void> => {
      asked += 1;
      if (asked === 1) await request.decide(send);
    };
    expect(await postWebhook({ url: server.url, decide }, connections)).to.equal(null);
    expect([asked, server.served()]).to.deep.equal([2, 1]);
    server.stop();
  });

  it('keeps none whose answer was not read to its end, and none that the receiver closes', async () => {
    const receiver = await TestReceiver.start((_received, response) => response.end('x'.repeat(5000)));
    await postWebhook({ ...request, url: receiver.url() }, connections);
    receiver.answer = status(200, { connection: 'close' });
    await postWebhook({ ...request, url: receiver.url() }, connections);
    await postWebhook({ ...request, url: receiver.url() }, connections);
    expect(receiver.connections).to.equal(3);
    await receiver.stop();
  });

  it('fails when a new one breaks after a kept one broke', async () => {
    let requests = 0;
    const server = await rawServer((socket) => {
      requests += 1;
      if (requests > 1) socket.destroy();
      else socket.once('data', () => socket.destroy()).write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await postWebhook({ ...request, url: server.url }, connections);
    const second = postWebhook({ ...request, url: server.url }, connections);
    const code = await second.catch((error: unknown) =>
      error instanceof AttemptFailure ? error.code : error,
    );
    expect([code, requests]).to.deep.equal(['connection_failed', 2]);
    server.stop();
  });
});

describe('postWebhook over TLS', () => {
  const certificate = selfSignedCertificate('receiver.example');
  let receiver: TestReceiver;
  const network = (ca?: string): ReceiverNetwork => ({
    policy: { allowLoopback: true, allowHttp: false },
    resolve: async () => ['127.0.0.1'],
    ...(ca === undefined ? {} : { ca }),
  });
  before(async () => (receiver = await TestReceiver.start(ok, certificate)));
  after(() => receiver.stop());

  it('posts to the host that the certificate names', async () => {
    const answer = await post(`https://receiver.example:${receiver.port}/`, {}, network(certificate.cert));
    expect(answer?.statusCode).to.equal(200);
  });

  it('refuses an untrusted certificate and one of another host before sending anything', async () => {
    receiver.received.length = 0;
    expect(await failure(`https://receiver.example:${receiver.port}/`, {}, network())).to.equal('tls_failed');
    expect(await failure(`https://other.example:${receiver.port}/`, {}, network(certificate.cert))).to.equal(
      'tls_failed',
    );
    expect(receiver.received).to.deep.equal([]);
  });

  it('refuses plain HTTP when only HTTPS is allowed', async () => {
    expect(await failure(`http://receiver.example:${receiver.port}/`, {}, network())).to.equal(
      'forbidden_address',
    );
  });
});
