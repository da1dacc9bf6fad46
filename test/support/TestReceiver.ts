import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestCertificate } from './selfSignedCertificate.js';

/** A webhook as it arrived. */
export interface Received {
  path: string;
  id: string;
  sequence: number;
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Answering = (received: Received, response: ServerResponse) => void;

/** A partner's receiver on this machine: keeps what arrives and answers as the test says. */
export class TestReceiver {
  readonly received: Received[] = [];
  connections = 0;
  answer: Answering;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(answer: Answering, certificate?: TestCertificate) {
    this.answer = answer;
    const listener: RequestListener = (request, response) => void this.take(request, response);
    this.server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
    this.server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(answer: Answering = ok, certificate?: TestCertificate): Promise<TestReceiver> {
    const receiver = new TestReceiver(answer, certificate);
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  idsReceived(): string[] {
    return this.received.map(({ id }) => id);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const received: Received = {
      path: request.url ?? '',
      id: headers['webhook-id'] ?? '',
      sequence: Number(headers['webhook-sequence']),
      headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: performance.now(),
    };
    this.received.push(received);
    this.answer(received, response);
  }
}

export const ok: Answering = (_received, response) => response.writeHead(200).end('{"ok":true}');

/** Takes the request and never answers. */
export const hanging: Answering = () => undefined;

export function status(code: number, headers: Record<string, string> = {}): Answering {
  return (_received, response) => response.writeHead(code, headers).end();
}
