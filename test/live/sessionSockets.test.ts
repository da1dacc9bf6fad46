import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { UPGRADE_LINES } from '../support/requestBytes.js';
import { TestService } from '../support/TestService.js';

/** A handshake of a page that is not the dashboard. */
const HANDSHAKE = [
  'GET /dashboard/live HTTP/1.1',
  'Host: localhost',
  'Origin: https://elsewhere.example',
  ...UPGRADE_LINES,
  '',
  '',
].join('\r\n');

describe('A socket without a session', () => {
  let service: TestService;

  before(async () => (service = await TestService.start()));
  after(() => service.stop());

  /** A client that keeps its half of the connection open, once it was refused. */
  async function refused(): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.write(HANDSHAKE);
    const text = await new Promise<string>((resolve, reject) => {
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('error', reject);
    });
    expect(text).to.match(/^HTTP\/1\.1 401 /);
    return socket;
  }

  it('may reset its connection when it was refused: the service goes on', async () => {
    for (let times = 0; times < 5; times += 1) (await refused()).resetAndDestroy();
    await sleep(100);
    expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
  });

  it('is closed when it was refused, although its client keeps it open', async () => {
    const socket = await refused();
    const failed = new Promise((resolve) => socket.once('error', resolve));
    // A write to a closed connection is answered by a reset.
    const writing = setInterval(() => socket.write('x'), 20);
    await failed;
    clearInterval(writing);
    socket.destroy();
  });
});
