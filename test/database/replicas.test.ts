import { expect } from 'chai';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Replicas } from '../../src/database/Replicas.js';

const QUESTION = { name: 'replicas_test', text: 'SELECT 1' };
/** Longer than a replica in doubt is left alone. */
const PAUSE_AND_MORE_MS = 1300;

describe('a replica that does not answer', () => {
  let silent: Server;
  let replicas: Replicas;
  let doubts = 0;
  const connections: Socket[] = [];

  before(async () => {
    silent = createServer((socket) => {
      socket.on('error', () => undefined);
      connections.push(socket);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `postgresql://reader:secret@127.0.0.1:${(silent.address() as AddressInfo).port}/none`;
    const onDoubt = (): void => void (doubts += 1);
    const metrics = new Registry();
    replicas = new Replicas({ urls: [url], serviceUrl: url, poolSize: 20, prepared: true, onDoubt, metrics });
  });

  after(async () => {
    await replicas.close();
    for (const socket of connections) socket.destroy();
    silent.close();
  });

  it('is skipped for a while and then probed by a single read', async () => {
    const ask = (): Promise<unknown> => replicas.readAs('app_none', QUESTION, []);
    expect(await ask()).to.equal(undefined);
    expect(await ask()).to.equal(undefined);
    expect([doubts, connections.length]).to.deep.equal([1, 1]);
    await sleep(PAUSE_AND_MORE_MS);
    expect(await Promise.all(Array.from({ length: 10 }, ask))).to.deep.equal(Array.from({ length: 10 }));
    expect([doubts, connections.length]).to.deep.equal([2, 2]);
  });
});
