import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as round, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { oneByOne } from '../../src/http/frontDoor.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('Requests that are sent ahead of their answers', () => {
  let server: Server;
  const clients: Socket[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  /** A client of a server that handles so. */
  async function clientOf(handle: RequestListener): Promise<Socket> {
    server = createServer(oneByOne(handle)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    client.on('error', () => undefined);
    return client;
  }

  it('are handled one after the other, in order and with their bodies', async () => {
    const open: ServerResponse[] = [];
    const bodies: string[] = [];
    const client = await clientOf((request, response) => {
      open.push(response);
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    });
    const body = (text: string): string =>
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    client.write(REQUEST + body('second') + REQUEST + body('fourth'));
    let answers = '';
    client.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    for (let handled = 1; handled <= 4; handled += 1) {
      while (open.length < handled) await round();
      await sleep(20);
      expect(open).to.have.length(handled);
      open.at(-1)?.end(`answer ${handled}`);
    }
    while (!answers.includes('answer 4')) await round();
    expect(answers.match(/answer \d/g)).to.deep.equal(['answer 1', 'answer 2', 'answer 3', 'answer 4']);
    expect(bodies).to.deep.equal(['second', 'fourth']);
    client.write(body('fifth'));
    while (open.length < 5) await round();
  });

  it('leave a round of the event loop to others between any two', async () => {
    let rounds = 0;
    const seen: number[] = [];
    const client = await clientOf((_request, response) => {
      seen.push(rounds);
      response.end();
    });
    client.write(REQUEST.repeat(300));
    while (seen.length < 300) {
      await round();
      rounds += 1;
    }
    expect(new Set(seen).size).to.equal(300);
  });

  it('are not read on while some wait', async () => {
    const handled: Socket[] = [];
    const client = await clientOf(({ socket }) => void handled.push(socket));
    client.write(REQUEST.repeat(400_000));
    while (handled.length === 0) await sleep(10);
    const [read] = handled as [Socket];
    for (let before = -1; read.bytesRead !== before; await sleep(200)) before = read.bytesRead;
    expect(handled).to.have.length(1);
    // What Node reads at once is 64 KiB.
    expect(read.bytesRead).to.be.below(1024 * 1024);
  });

  it('are not handled when the connection ends before their turn', async () => {
    const open: ServerResponse[] = [];
    const client = await clientOf((_request, response) => void open.push(response));
    client.write(REQUEST.repeat(3));
    while (open.length === 0) await round();
    open[0]?.socket?.destroy();
    await once(open[0] as ServerResponse, 'close');
    await sleep(50);
    expect(open).to.have.length(1);
  });
});
