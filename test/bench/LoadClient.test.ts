import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { percentile, runLoad } from '../../bench/speed/LoadClient.js';

const LARGE = 'x'.repeat(200_000);

describe('runLoad', () => {
  const answers: ((response: ServerResponse) => unknown)[] = [
    (response) => response.end('{}'),
    (response) => response.end(LARGE),
    (response) => response.writeHead(200, { 'content-length': 0 }).end(),
    (response) => {
      response.write('a piece');
      response.end(LARGE);
    },
    async (response) => {
      response.writeHead(200, { 'content-length': 10 }).write('12345');
      await sleep(2);
      response.end('67890');
    },
    (response) => response.writeHead(404).end('{"error":{}}'),
  ];
  let server: Server;
  let received = 0;

  before(async () => {
    server = createServer((request, response) => {
      received += 1;
      void answers[Number(request.url?.slice(1))]?.(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());

  it('sends the next request when the last answer is complete in any transfer encoding', async () => {
    let sent = 0;
    const next = (): Buffer => Buffer.from(`GET /${sent++ % answers.length} HTTP/1.1\r\nHost: load\r\n\r\n`);
    const { port } = server.address() as AddressInfo;
    const load = await runLoad({ port, connections: 3, seconds: 20, requests: 60, next });
    expect(load.requests).to.equal(60);
    // One on each connection comes before the clock starts.
    expect(received).to.equal(63);
    expect(load.failures).to.equal(60 / answers.length);
    expect(load.latencies).to.deep.equal(load.latencies.toSorted((one, other) => one - other));
    expect(percentile(load, 0.5)).to.be.within(load.latencies[0] ?? Infinity, load.latencies.at(-1) ?? 0);
  });

  it('reads a header that arrives byte by byte', async () => {
    const slow = createSocketServer((socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('data', async () => {
        for (const byte of 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc') {
          socket.write(byte);
          await sleep(1);
        }
      });
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const next = (): Buffer => Buffer.from('GET / HTTP/1.1\r\n\r\n');
    const load = await runLoad({ port, connections: 1, seconds: 20, requests: 2, next });
    slow.close();
    expect(load).to.include({ requests: 2, failures: 0 });
  });

  it('fails when the server closes the connection', async () => {
    const rude = createSocketServer((socket) => socket.on('data', () => socket.destroy()));
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const { port } = rude.address() as AddressInfo;
    const load = runLoad({
      port,
      connections: 1,
      seconds: 5,
      next: () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    });
    const error = await load.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    rude.close();
    expect(String(error)).to.include('closed the connection');
  });
});
