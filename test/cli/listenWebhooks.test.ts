import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { Partner } from '../../src/demo/Partner.js';
import { WebhookListener } from '../../src/demo/WebhookListener.js';
import { readBody } from '../../src/http/readBody.js';
import { runProgram } from '../support/runProgram.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

describe('webhooks:listen', () => {
  let service: TestService;
  let program: Server;
  let forwarded: string[];

  before(async () => {
    service = await TestService.start({ NODE_ENV: 'development' });
    forwarded = [];
    program = createServer((request, response) => {
      forwarded.push(`${request.headers['webhook-id']}`);
      request.resume().on('end', () => response.writeHead(forwarded.length === 1 ? 500 : 200).end());
    });
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  });

  after(async () => {
    program.closeAllConnections();
    program.close();
    await service.stop();
  });

  /** A partner program with the credentials of the app. */
  async function partnerOf({ appId, clientSecret }: TestPartner): Promise<Partner> {
    const partner = new Partner(service.url, () => undefined);
    await partner.signIn(appId, clientSecret, ['webhooks:read', 'webhooks:write']);
    return partner;
  }

  it('shows, verifies, forwards and repeats deliveries, and leaves no endpoint behind', async () => {
    const app = await service.makeApp('webhooks:read', 'webhooks:write', 'customers:write');
    const partner = await partnerOf(app);
    const told: string[] = [];
    const { port } = program.address() as AddressInfo;
    const listener = await WebhookListener.open(partner, {
      events: ['*'],
      forward: new URL(`http://127.0.0.1:${port}/hook`),
      tell: (line) => void told.push(line),
    });
    const { data } = await partner.rest<{ data: { id: string }[] }>('GET', '/v1/webhook-endpoints');
    await partner.send('POST', `/v1/webhook-endpoints/${data[0]?.id}/test`);
    await until(() => told.length === 1);
    expect(told[0]).to.match(/^1 {2}webhook\.test .* → 500$/);
    await listener.redeliver(1);
    await until(() => told.length === 2);
    expect(told[1]).to.match(/^1 {2}webhook\.test .* → 200$/);
    expect(new Set(forwarded).size).to.equal(1);
    const forged = await fetch(listener.address, {
      method: 'POST',
      body: '{}',
      headers: { 'webhook-id': 'whd_x' },
    });
    expect(forged.status).to.equal(400);
    expect(told.at(-1)).to.equal('✗ whd_x: the signature is wrong');
    await listener.close();
    const left = await partner.rest<{ data: unknown[] }>('GET', '/v1/webhook-endpoints');
    expect(left.data).to.deep.equal([]);
  });

  it('removes its endpoint after its token has ended, and tells what is refused', async () => {
    const app = await service.makeApp('webhooks:read', 'webhooks:write');
    const partner = await partnerOf(app);
    const told: string[] = [];
    const listener = await WebhookListener.open(partner, {
      events: ['*'],
      forward: undefined,
      tell: (line) => void told.push(line),
    });
    const { data } = (await app.rest('GET', '/v1/webhook-endpoints')).body;
    const path = `/v1/webhook-endpoints/${data[0].id}`;
    await app.rest('POST', `${path}/test`);
    await until(() => told.length === 1);
    await app.rest('PATCH', path, { status: 'disabled' });
    await listener.redeliver(1);
    expect(told[1]).to.include('The webhook endpoint is disabled.');
    await service.sql('DELETE FROM oauth_artifacts');
    await until(async () => (await app.rest('GET', path)).status === 401);
    await listener.close();
    const again = await service.narrowed(app, 'webhooks:read');
    expect((await again.rest('GET', '/v1/webhook-endpoints')).body.data).to.deep.equal([]);
  });

  it('follows no redirect of the program behind --forward, as the service follows none', async () => {
    const app = await service.makeApp('webhooks:read', 'webhooks:write');
    const partner = await partnerOf(app);
    const paths: string[] = [];
    const receiver = createServer((request, response) => {
      paths.push(`${request.url}`);
      response.writeHead(paths.length === 1 ? 307 : 200, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const told: string[] = [];
    const listener = await WebhookListener.open(partner, {
      events: ['*'],
      forward: new URL(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`),
      tell: (line) => void told.push(line),
    });
    try {
      const { data } = (await app.rest('GET', '/v1/webhook-endpoints')).body;
      await app.rest('POST', `/v1/webhook-endpoints/${data[0].id}/test`);
      await until(() => told.length > 0);
      expect(told[0]).to.match(/ → 307$/);
      expect(paths[0]).to.equal('/hook');
      expect(paths).to.not.include('/elsewhere');
    } finally {
      await listener.close();
      receiver.close();
    }
  });

  it('ends when its endpoint is refused', async () => {
    const app = await service.makeApp('webhooks:read', 'webhooks:write');
    const { code, stderr } = await runProgram(
      process.execPath,
      ['dist/src/cli/listenWebhooks.js', '--url', service.url, '--events', 'nope'],
      { env: { CLIENT_ID: app.appId, CLIENT_SECRET: app.clientSecret } },
    );
    expect(code).to.equal(1);
    expect(stderr).to.include('  - enabled_events[0] ');
  });

  it('shows the secret with which the program behind --forward verifies messages', async () => {
    const app = await service.makeApp('webhooks:read', 'webhooks:write');
    let secret = '';
    const receiver = createServer((request, response) => {
      void readBody(request, { limit: 65_536 }).then((body) => {
        new Webhook(secret).verify(String(body), request.headers as Record<string, string>);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const listener = spawn(
      process.execPath,
      ['dist/src/cli/listenWebhooks.js', '--url', service.url, '--forward', forward],
      { env: { ...process.env, CLIENT_ID: app.appId, CLIENT_SECRET: app.clientSecret } },
    );
    let told = '';
    listener.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
    try {
      await until(() => told.includes('Listening'));
      secret = /export WEBHOOK_SECRET=(\S+)/.exec(told)?.[1] ?? '';
      const { data } = (await app.rest('GET', '/v1/webhook-endpoints')).body;
      await app.rest('POST', `/v1/webhook-endpoints/${data[0].id}/test`);
      await until(() => told.includes('webhook.test'));
      expect(told).to.match(/webhook\.test .* → 204$/m);
    } finally {
      // As Ctrl-C, which the terminal and npm send each.
      listener.kill('SIGINT');
      listener.kill('SIGINT');
      expect(await once(listener, 'exit')).to.deep.equal([0, null]);
      receiver.close();
    }
    expect((await app.rest('GET', '/v1/webhook-endpoints')).body.data).to.deep.equal([]);
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
