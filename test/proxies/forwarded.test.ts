import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/freePort.js';
import { describeIf } from '../support/describeIf.js';
import { hasProgram } from '../support/hasProgram.js';
import { selfSignedCertificate } from '../support/selfSignedCertificate.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { documentedBlock } from './documentedBlock.js';

/** Token requests that one client may make from one address in these tests. */
const LIMIT = 3;

interface Proxy {
  command: string;
  /** Writes the proxy's files into the folder; the arguments to start it with. */
  prepare: (room: string, port: number, service: TestService) => string[];
}

const nginx: Proxy = {
  command: 'nginx',
  prepare: (room, port, service) => {
    const { cert, key } = selfSignedCertificate('api.partner.example');
    writeFileSync(join(room, 'cert.pem'), cert);
    writeFileSync(join(room, 'key.pem'), key);
    const example = documentedBlock('nginx', {
      '127.0.0.1:4000': new URL(service.url).host,
      'listen 443 ssl http2': `listen 127.0.0.1:${port} ssl http2`,
      '/etc/ssl/consent.pem': join(room, 'cert.pem'),
      '/etc/ssl/consent.key': join(room, 'key.pem'),
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((name) => `${name}_temp_path ${join(room, name)};`).join('\n');
    writeFileSync(
      join(room, 'nginx.conf'),
      `daemon off;\nmaster_process off;\npid ${join(room, 'pid')};\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${example}\n}\n`,
    );
    return ['-p', room, '-c', join(room, 'nginx.conf'), '-e', 'stderr'];
  },
};

const haproxy: Proxy = {
  command: 'haproxy',
  prepare: (room, port, service) => {
    const { cert, key } = selfSignedCertificate('api.partner.example');
    writeFileSync(join(room, 'both.pem'), cert + key);
    const example = documentedBlock('haproxy', {
      '127.0.0.1:4000': new URL(service.url).host,
      'port 4001': `port ${new URL(service.operationsUrl).port}`,
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/ssl/consent.pem': join(room, 'both.pem'),
    });
    writeFileSync(join(room, 'haproxy.cfg'), example);
    return ['-f', join(room, 'haproxy.cfg')];
  },
};

interface Ask {
  /** The address that the client connects from; all of 127.0.0.0/8 is this machine. */
  from: string;
  forwardedFor?: string;
}

/**
 * Asks for a token. What is left of the budget of this client at the address that the service sees, or the
 * status that refuses.
 */
function tokensLeft(base: string, app: TestPartner, { from, forwardedFor }: Ask): Promise<number> {
  const body = 'grant_type=client_credentials';
  const options = {
    method: 'POST',
    localAddress: from,
    rejectUnauthorized: false,
    headers: {
      authorization: `Basic ${btoa(`${app.appId}:${app.clientSecret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    },
  };
  return new Promise((resolve, reject) => {
    const send = base.startsWith('https:') ? tlsRequest : plainRequest;
    const sent = send(`${base}/oauth/token`, options, (response) => {
      response.resume();
      const [, left] = /r=(\d+)/.exec(String(response.headers['ratelimit'])) ?? [];
      response.on('end', () =>
        resolve(response.statusCode === 200 ? Number(left) : (response.statusCode ?? 0)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function spendAll(base: string, app: TestPartner, ask: Ask): Promise<void> {
  for (let left = LIMIT - 1; left >= 0; left -= 1) expect(await tokensLeft(base, app, ask)).to.equal(left);
  expect(await tokensLeft(base, app, ask)).to.equal(429);
}

const LIMITS = { RATE_LIMITS: `token=${LIMIT}`, OPERATIONS_PORT: '0' };

for (const { command, prepare } of [nginx, haproxy]) {
  const missing = `${command} is not installed (apt-get install ${command})`;
  describeIf(hasProgram(command), missing, `behind ${command} as docs/operations.md sets it up`, () => {
    let service: TestService;
    let room: string;
    let proxy: ChildProcess;
    let base: string;

    before(async () => {
      service = await TestService.start({ ...LIMITS, TRUSTED_PROXIES: '127.0.0.1' });
      room = realpathSync(mkdtempSync(join(tmpdir(), 'proxy-test-')));
      chmodSync(room, 0o755);
      const port = await freePort();
      base = `https://127.0.0.1:${port}`;
      proxy = spawn(command, prepare(room, port, service), { stdio: 'ignore' });
      await untilServed(base);
    });
    after(async () => {
      const ended = proxy.exitCode === null ? once(proxy, 'exit') : undefined;
      proxy.kill('SIGTERM');
      await ended;
      rmSync(room, { recursive: true, force: true });
      await service.stop();
    });

    async function untilServed(address: string): Promise<void> {
      while ((await statusOf(`${address}/oauth/jwks`).catch(() => 0)) !== 200) {
        if (proxy.exitCode !== null) throw new Error(`${command} ended.`);
        await new Promise((wake) => setTimeout(wake, 50));
      }
    }

    function statusOf(url: string): Promise<number> {
      return new Promise((resolve, reject) => {
        tlsRequest(url, { rejectUnauthorized: false }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        })
          .on('error', reject)
          .end();
      });
    }

    it('gives each client address a budget of its own', async () => {
      const app = await appOf(service);
      await spendAll(base, app, { from: '127.0.0.2' });
      expect(await tokensLeft(base, app, { from: '127.0.0.3' })).to.equal(LIMIT - 1);
      expect(await tokensLeft(base, app, { from: '127.0.0.2' })).to.equal(429);
    });

    it('takes the client address from the proxy, never from the client', async () => {
      const app = await appOf(service);
      await spendAll(base, app, { from: '127.0.0.4' });
      for (const forwardedFor of [
        '203.0.113.9',
        '203.0.113.10, 127.0.0.1',
        'nonsense',
        '127.0.0.1, 127.0.0.1',
      ])
        expect(await tokensLeft(base, app, { from: '127.0.0.4', forwardedFor }), forwardedFor).to.equal(429);
    });

    it('does not expose health and metrics', async () => {
      for (const path of ['/metrics', '/healthz', '/readyz'])
        expect(await statusOf(base + path), path).to.equal(404);
      expect(await statusOf(`${base}/v1/customers`)).to.equal(401);
    });
  });
}

/** Made with the administrative key: a test's own tokens would spend the budget that it measures. */
async function appOf(service: TestService): Promise<TestPartner> {
  const { body } = await service.admin.rest('POST', '/v1/apps', {
    name: 'Quay',
    redirect_uris: ['https://quay.example/cb'],
    allowed_scopes: ['apps:read'],
  });
  return { appId: body.app_id, clientSecret: body.client_secret } as TestPartner;
}

describe('without a proxy between', () => {
  const forwardedFor = (place: number): string => `203.0.113.${place}`;

  async function withService(
    env: Record<string, string>,
    check: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const service = await TestService.start({ ...LIMITS, ...env });
    try {
      await check(service);
    } finally {
      await service.stop();
    }
  }

  it('ignores forwarded addresses if no proxy is trusted', () =>
    withService({}, async (service) => {
      const app = await appOf(service);
      for (let left = LIMIT - 1; left >= 0; left -= 1)
        expect(
          await tokensLeft(service.url, app, { from: '127.0.0.1', forwardedFor: forwardedFor(left) }),
        ).to.equal(left);
      expect(
        await tokensLeft(service.url, app, { from: '127.0.0.1', forwardedFor: forwardedFor(9) }),
      ).to.equal(429);
    }));

  it('ignores forwarded addresses from an untrusted address', () =>
    withService({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' }, async (service) => {
      const app = await appOf(service);
      for (let left = LIMIT - 1; left >= 0; left -= 1)
        expect(
          await tokensLeft(service.url, app, { from: '127.0.0.2', forwardedFor: forwardedFor(left) }),
        ).to.equal(left);
      expect(
        await tokensLeft(service.url, app, { from: '127.0.0.2', forwardedFor: forwardedFor(9) }),
      ).to.equal(429);
    }));

  it('takes addresses with a port as those without, of callers and of proxies', () =>
    withService({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' }, async (service) => {
      const app = await appOf(service);
      const ask = (forwardedFor: string): Ask => ({ from: '127.0.0.1', forwardedFor });
      await spendAll(service.url, app, ask('198.51.100.1:44100, 10.1.2.3:8080'));
      expect(await tokensLeft(service.url, app, ask('198.51.100.1'))).to.equal(429);
      for (const other of ['198.51.100.2:44100, 10.1.2.3', '[2001:db8:1::1]:443', '[2001:db8:2::1]'])
        expect(await tokensLeft(service.url, app, ask(other)), other).to.equal(LIMIT - 1);
    }));

  it('takes the last untrusted address, with proxies given by network or by number', async () => {
    const chain = (place: number): Ask => ({
      from: '127.0.0.1',
      forwardedFor: `198.51.100.1, ${forwardedFor(place)}, 10.1.2.3`,
    });
    for (const proxies of ['loopback,10.0.0.0/8', '2'])
      await withService({ TRUSTED_PROXIES: proxies }, async (service) => {
        const app = await appOf(service);
        await spendAll(service.url, app, chain(1));
        expect(await tokensLeft(service.url, app, chain(2)), proxies).to.equal(LIMIT - 1);
        const claimed = { from: '127.0.0.1', forwardedFor: `192.0.2.55, ${forwardedFor(1)}, 10.1.2.3` };
        expect(await tokensLeft(service.url, app, claimed), proxies).to.equal(429);
      });
  });
});
