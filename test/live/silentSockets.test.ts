import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createConnection } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { mock } from 'node:test';
import { openSockets } from '../../src/graphql/live/openSockets.js';
import type { SocketParts } from '../../src/graphql/live/openSockets.js';
import { SOCKET_REQUEST } from '../support/requestBytes.js';
import { TestService } from '../support/TestService.js';

describe('A socket whose client answers nothing', () => {
  let service: TestService;
  let server: Server;
  let close: () => Promise<void>;

  before(async () => {
    service = await TestService.start();
    server = createServer();
    const parts: Pick<SocketParts, 'services'> = { services: service.services };
    close = openSockets(server, parts as SocketParts, []);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    mock.timers.reset();
    server.close();
    await service.stop();
  });

  async function openSilently(): Promise<Socket> {
    const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(SOCKET_REQUEST);
    await once(socket, 'data');
    return socket;
  }

  it('is ended a second after the close', async () => {
    const socket = await openSilently();
    const ended = once(socket, 'close');
    // The library itself waits for 30 s.
    mock.timers.enable({ apis: ['setTimeout'] });
    const closed = close();
    mock.timers.tick(1000);
    mock.timers.reset();
    await Promise.all([closed, ended]);
  });
});
