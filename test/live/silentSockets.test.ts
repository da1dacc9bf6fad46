import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('A socket whose client answers nothing', () => {
  let database: TestDatabase;
  let service: ChildService;

  before(async () => {
    database = await createTestDatabase();
    service = await ChildService.start(database.ownerUrl, { ROLE: 'gateway', DRAIN_MS: '1' });
  });
  after(async () => {
    await service.kill();
    await database.drop();
  });

  async function openSilently(): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname);
    socket.on('error', () => undefined);
    const head = [
      'GET /graphql HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).to.match(/^HTTP\/1.1 101/);
    return socket;
  }

  it('does not delay the stop of the process', async function () {
    // The library itself waits for 30 s.
    this.timeout(25_000);
    const socket = await openSilently();
    expect(await service.running.end('SIGTERM')).to.equal(0);
    socket.destroy();
  });
});
