import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { HttpListener } from '../../src/http/HttpListener.js';

const ANSWER_BYTES = 64 * 2 ** 20;
const SILENCE_MS = 400;

describe('A client that is answered', () => {
  let listener: HttpListener;
  /** Whether the server's side of the answer ended, by the answer or by the connection. */
  let ended: Promise<unknown>;
  let afterMs = 0;

  beforeEach(async () => {
    const server = createServer();
    ended = once(server, 'request').then(async ([, response]: ServerResponse[]) => {
      await sleep(afterMs);
      response?.end(Buffer.alloc(ANSWER_BYTES));
      return response && once(response, 'close');
    });
    listener = await HttpListener.open(server, '127.0.0.1', 0, SILENCE_MS);
  });

  afterEach(() => listener.close());

  async function ask(): Promise<Socket> {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause().write('GET / HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n\r\n');
    return socket;
  }

  it('is cut off when it reads nothing', async () => {
    const socket = await ask();
    const asked = performance.now();
    await ended;
    // Twice the time, as Node.js asks, and what this machine takes.
    expect(performance.now() - asked).to.be.within(0.9 * SILENCE_MS, 2 * SILENCE_MS + 1000);
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length)).resume();
    await once(socket, 'close');
    expect(received).to.be.below(ANSWER_BYTES);
  });

  it('gets the whole answer when it reads slowly', async () => {
    const socket = await ask();
    const closed = once(socket, 'close');
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length));
    for (let pauses = 0; pauses < 12; pauses += 1) {
      socket.pause();
      await sleep(SILENCE_MS / 4);
      socket.resume();
      await sleep(2);
    }
    await closed;
    expect(received).to.be.above(ANSWER_BYTES);
  });

  it('gets an answer that takes longer to make', async () => {
    afterMs = 2 * SILENCE_MS;
    const socket = await ask();
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length)).resume();
    await once(socket, 'close');
    expect(received).to.be.above(ANSWER_BYTES);
  });
});

describe('A connection that is idle', () => {
  it('is closed by its own time limit', async () => {
    const server = createServer((_request, response) => void response.end());
    const listener = await HttpListener.open(server, '127.0.0.1', 0);
    server.keepAliveTimeout = 200;
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: a.example\r\n\r\n');
    await once(socket.resume(), 'close');
    await listener.close();
  });
});

describe('A connection that has sent nothing when the server stops', () => {
  let listener: HttpListener;
  let socket: Socket;

  beforeEach(async () => {
    const server = createServer((_request, response) => void response.end('answered'));
    const accepted = once(server, 'connection');
    listener = await HttpListener.open(server, '127.0.0.1', 0);
    socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
    await accepted;
  });

  it('delays the end by about a second, not by what requests in flight may take', async () => {
    const started = performance.now();
    await listener.close();
    expect(performance.now() - started).to.be.below(8000);
    await once(socket.resume(), 'close');
  });

  it('is answered when its request was under way', async () => {
    const closed = listener.close();
    await sleep(100);
    socket.write('GET / HTTP/1.1\r\nhost: a.example\r\n\r\n');
    const answer = await socket.setEncoding('utf8').take(1).toArray();
    expect(answer.join('')).to.include('200 OK');
    socket.destroy();
    await closed;
  });
});

describe('A connection whose request is in flight when the server stops', () => {
  async function stopDuring(
    answer: (response: ServerResponse, go: Promise<unknown>) => void,
  ): Promise<string> {
    const server = createServer();
    const begun = once(server, 'request');
    const listener = await HttpListener.open(server, '127.0.0.1', 0);
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('utf8');
    socket.write('GET / HTTP/1.1\r\nhost: a.example\r\n\r\n');
    const [, response] = (await begun) as [unknown, ServerResponse];
    answer(response, sleep(200));
    const started = performance.now();
    await listener.close();
    expect(performance.now() - started).to.be.below(5000);
    return (await socket.toArray()).join('');
  }

  it('ends with its answer, which says so', async () => {
    const received = await stopDuring((response, go) => void go.then(() => response.end('answered')));
    expect(received)
      .to.include('Connection: close')
      .and.to.match(/answered$/);
  });

  it('ends with its answer when the headers have been sent', async () => {
    const received = await stopDuring((response, go) => {
      response.setHeader('Content-Length', 8).write('answ');
      void go.then(() => response.end('ered'));
    });
    expect(received)
      .to.include('Connection: keep-alive')
      .and.to.match(/answered$/);
  });
});
