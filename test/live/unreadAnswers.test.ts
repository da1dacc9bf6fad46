import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { SOCKET_REQUEST } from '../support/requestBytes.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/** More than the system keeps for a connection of this machine. */
const MANY_BYTES = 64 * 1024 * 1024;

describe('A WebSocket whose client does not read', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  /** An acknowledged socket, of which nothing is read any more. */
  async function openUnread(): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(SOCKET_REQUEST);
    await once(socket, 'data');
    socket.write(frame({ type: 'connection_init', payload: app.credentials }));
    expect(String(await once(socket, 'data'))).to.include('connection_ack');
    return socket.pause();
  }

  /** Sends a frame until the socket ends, or all bytes are sent. */
  async function isEnded(socket: Socket, next: (count: number) => Buffer): Promise<boolean> {
    let sent = 0;
    for (let count = 0; sent < MANY_BYTES && !socket.destroyed; count += 1) {
      const bytes = next(count);
      await new Promise((written) => socket.write(bytes, written));
      sent += bytes.length;
    }
    const { destroyed } = socket;
    socket.destroy();
    return destroyed;
  }

  it('is ended when it goes on sending pings', async () => {
    const ping = frame({ type: 'ping', payload: { filler: 'x'.repeat(1024 * 1024) } });
    expect(await isEnded(await openUnread(), () => ping)).to.equal(true);
  });

  it('is ended when it goes on sending operations that are refused', async () => {
    const subscribe = (count: number): Buffer =>
      frame({ type: 'subscribe', id: `${count}`.padEnd(500_000), payload: { query: '{' } });
    expect(await isEnded(await openUnread(), subscribe)).to.equal(true);
  });
});

/** A frame of text, with a mask of zeros. */
function frame(content: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(content));
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : 10);
  head[0] = 0x81;
  head[1] = 0x80 | (length < 126 ? length : 127);
  if (length >= 126) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
