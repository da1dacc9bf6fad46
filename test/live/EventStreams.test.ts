import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createConnection } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { EventStreams } from '../../src/graphql/live/EventStreams.js';
import { LiveStream } from '../../src/graphql/live/LiveStream.js';

describe('The event streams of a service', () => {
  /** A response whose client has left before it began. */
  async function abandoned(): Promise<ServerResponse> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    client.destroy();
    await once(response, 'close');
    server.close();
    return response;
  }

  it('hold no response whose client left before its answer began', async () => {
    const streams = new EventStreams();
    const responses = [await abandoned(), await abandoned()] as const;
    streams.sendOnce(responses[0], '{"data":null}');
    const stream = new LiveStream(() => undefined);
    await streams.send(responses[1], stream);
    expect(stream.isOver, 'the subscription').to.equal(true);
    let held = 0;
    for (const response of responses)
      response.destroy = () => {
        held += 1;
        return response;
      };
    streams.abandon();
    expect(held).to.equal(0);
  });
});
