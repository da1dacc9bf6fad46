import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { AttemptFailure } from '../../src/jobs/webhooks/AttemptFailure.js';
import type { ReceiverNetwork } from '../../src/jobs/webhooks/connectToReceiver.js';
import { postWebhook } from '../../src/jobs/webhooks/postWebhook.js';
import { classifyAddress } from '../../src/domain/webhooks/classifyAddress.js';
import { forbiddenUrls } from '../domain/webhooks/forbiddenUrls.js';
import { recordProof } from '../support/recordProof.js';
import { ReceiverConnections } from '../../src/jobs/webhooks/ReceiverConnections.js';

const PRODUCTION = { allowLoopback: false, allowHttp: false };
/** The broken variant: a deployment that forgot the check. */
const CARELESS = { allowLoopback: true, allowHttp: true };

/** What a resolver may answer for a name under the attacker's control. */
const LYING_ANSWERS = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['fd00:ec2::254'],
  ['64:ff9b::7f00:1'],
  ['0.0.0.0'],
  // A public address first, the inside as "fallback": the socket would try both.
  ['192.0.2.1', '127.0.0.1'],
  ['2606:4700::1111', '127.0.0.1'],
  [],
];

/** Proof: whatever URL is stored and whatever name servers say, no connection is opened to the inside. */
describe('Webhooks to internal addresses', () => {
  let canary: Server;
  let connections = 0;
  let port = 0;

  before(async () => {
    canary = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    canary.listen(0, '::');
    await once(canary, 'listening');
    ({ port } = canary.address() as AddressInfo);
  });
  beforeEach(() => (connections = 0));
  after(() => canary.close());

  async function attempt(url: string, network: ReceiverNetwork): Promise<string> {
    let connected = false;
    const decide = async (): Promise<void> => {
      connected = true;
    };
    try {
      await postWebhook({ url, decide, timeoutMs: 1000 }, new ReceiverConnections(network));
    } catch (error) {
      if (error instanceof AttemptFailure) return error.code;
      // A URL that cannot even be parsed never reaches a socket.
      if (error instanceof TypeError) return 'invalid_url';
      throw error;
    }
    return connected ? 'connected' : 'none';
  }

  it(`open no connection for ${forbiddenUrls(0).length} spellings`, async () => {
    // The resolver of the machine as an attacker would want it: every name leads inside.
    const network = { policy: PRODUCTION, resolve: async () => ['127.0.0.1'] };
    for (const url of forbiddenUrls(port))
      expect(await attempt(url, network), url).to.be.oneOf(['forbidden_address', 'invalid_url']);
    expect(connections).to.equal(0);
  });

  it('open no connection for false answers of a name server', async () => {
    for (const answer of LYING_ANSWERS) {
      const result = await attempt(`https://receiver.example:${port}/`, {
        policy: PRODUCTION,
        resolve: async () => answer,
      });
      expect(result, String(answer)).to.equal(answer.length === 0 ? 'host_not_found' : 'forbidden_address');
    }
    expect(connections).to.equal(0);
  });

  it('use the checked answer of the name server when later answers differ', async () => {
    let asked = 0;
    const rebinding = async (): Promise<string[]> => {
      asked += 1;
      return asked === 1 ? ['192.88.98.1'] : ['127.0.0.1'];
    };
    expect(classifyAddress('192.88.98.1')).to.equal('public');
    await attempt(`https://receiver.example:${port}/`, { policy: PRODUCTION, resolve: rebinding });
    expect(asked).to.equal(1);
    expect(connections).to.equal(0);
  });

  it('open connections without the check (control)', async () => {
    const network = { policy: CARELESS, resolve: async () => ['127.0.0.1'] };
    for (const url of forbiddenUrls(port)) await attempt(url, network);
    expect(connections).to.be.greaterThan(20);
    recordProof({
      proof: 'webhookAddresses',
      injected: 'spellings of inside addresses, name servers that lie, an answer that changes',
      times: forbiddenUrls(port).length + LYING_ANSWERS.length + 1,
      checked: 'no connection to the inside is opened',
      figure: '0 connections',
      broken: `without the check: ${connections} connections`,
    });
  });
});
