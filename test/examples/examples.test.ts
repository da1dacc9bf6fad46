import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../support/freePort.js';
import { textOf } from '../docs/MarkdownPage.js';
import { runCommand } from '../docs/runCommand.js';
import { itInProofs } from '../support/itInProofs.js';
import { runProgram } from '../support/runProgram.js';
import type { Ended } from '../support/runProgram.js';
import { Browser } from '../oauth/Browser.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';

const PAGE = 'examples/README.md';

describe('the examples', () => {
  let service: TestService;
  let folder: string;
  let client: { CLIENT_ID: string; CLIENT_SECRET: string };
  let callbackPort: number;

  before(async () => {
    service = await TestService.start();
    callbackPort = await freePort();
    await mkdir('.tmp', { recursive: true });
    folder = await mkdtemp(join(process.cwd(), '.tmp/examples-'));
    const { client_id, client_secret } = await createApp(callbackPort);
    client = { CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  });

  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** An app as the page makes it, with another port for its redirect. */
  async function createApp(port: number): Promise<{ client_id: string; client_secret: string }> {
    const [command = ''] = textOf(PAGE, 'sh').split('npm run');
    const script = command.replace('http://localhost:4000', service.url).replace('8080', String(port));
    const { stdout } = await runProgram('sh', ['-c', script], { env: { ADMIN_KEY: TEST_ADMIN_KEY } });
    return JSON.parse(stdout) as { client_id: string; client_secret: string };
  }

  const env = (): Record<string, string> => ({ API: service.url, ...client });

  async function run(command: string, ...args: string[]): Promise<Ended> {
    const ended = await runProgram(command, args, { env: env() });
    expect(ended.code, ended.stderr).to.equal(0);
    return ended;
  }

  it('rest-typescript walks from a customer to a withdrawal', async () => {
    const { stdout } = await run(process.execPath, 'dist/examples/rest-typescript/main.js');
    expect(stdout.split('\n').slice(0, 3)).to.deep.equal([
      'home.city = "Lisbon"',
      'customers: rest-typescript-1',
      'after the withdrawal: consent_denied',
    ]);
  });

  it('rest-python does the same with nothing installed', async () => {
    const { stdout } = await run('python3', 'examples/rest-python/main.py');
    expect(stdout.split('\n').slice(0, 2)).to.deep.equal([
      'home.city = "Lisbon"',
      'after the withdrawal: consent_denied',
    ]);
  });

  it('graphql-backend does the same with typed operations', async () => {
    const { stdout } = await run(process.execPath, 'dist/examples/graphql-backend/src/main.js');
    expect(stdout.split('\n').slice(0, 2)).to.deep.equal([
      'home.city = "Lisbon"',
      'after the withdrawal: null CONSENT_DENIED',
    ]);
  });

  it('webhook-receiver processes a repeated message once and refuses a forged one', async () => {
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const receiver = start('examples/webhook-receiver/main.mjs', { PORT: '0', WEBHOOK_SECRET: secret });
    try {
      const port = await receiver.saw(/listening on (\d+)/);
      const body = JSON.stringify({
        type: 'consent.revoked',
        timestamp: new Date().toISOString(),
        data: { customer_id: 'cus_1', purposes: ['analytics'] },
      });
      const signature = new Webhook(secret).sign('whd_1', new Date(), body);
      const post = async (webhookSignature: string): Promise<number> => {
        const headers = {
          'webhook-id': 'whd_1',
          'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
          'webhook-signature': webhookSignature,
          'webhook-sequence': '1',
        };
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      };
      expect(await post(signature)).to.equal(204);
      expect(await post(signature)).to.equal(204);
      expect(await post('v1,Zm9yZ2Vk')).to.equal(400);
      await receiver.saw(/refused/);
      expect(receiver.output.match(/stop using analytics of cus_1/g)).to.have.length(1);
    } finally {
      receiver.kill();
    }
  });

  it('oauth-sign-in signs a person in and reads with their token', async () => {
    const { services } = service;
    const email = 'ada@partner.example';
    const password = 'three-otters-play-chess';
    const [command = ''] = /npm run account:create.*/.exec(textOf(PAGE, 'sh')) ?? [];
    await runCommand(service, command, { ...client, ACCOUNT_PASSWORD: password });
    const app = start('examples/oauth-sign-in/main.mjs', { ...env(), PORT: `${callbackPort}` });
    try {
      await app.saw(/open (http)/);
      const begun = await fetch(`http://localhost:${callbackPort}/login`, { redirect: 'manual' });
      const page = await new Browser(services.config.baseUrl).open(begun.headers.get('location') ?? '');
      const approval = await page.submit('/sign-in', { email, password });
      const { away } = await approval.submit('/decide', { decision: 'allow' });
      const text = await (await fetch(away ?? '')).text();
      expect(text).to.equal('Signed in for Example partner with the scopes apps:read customers:read.\n');
    } finally {
      app.kill();
    }
  });

  it('bulk-loader continues after a kill and loads every claim once', async () => {
    const { customerId, credentials, sequence } = await loaderFixture();
    const file = join(folder, 'claims.jsonl');
    const lines = Array.from({ length: 2600 }, (_, index) => JSON.stringify(claimOf(customerId, index)));
    await writeFile(file, `${lines.join('\n')}\n`);
    await appendFile(file, `${JSON.stringify({ ...claimOf(customerId, 1), customer_id: 'cus_unknown' })}\n`);
    const first = start('examples/bulk-loader/main.mjs', credentials, [file]);
    await first.saw(/batch \d+/);
    first.kill('SIGKILL');
    await first.ended;
    const { stdout } = await runProgram(process.execPath, ['examples/bulk-loader/main.mjs', file], {
      env: credentials,
    });
    expect(stdout).to.match(/2600 of 2601 claims accepted, 1 rejected\nline 2601: /);
    const { batches } = JSON.parse(await readFile(`${file}.progress`, 'utf8')) as { batches: unknown[] };
    expect(batches).to.have.length(6).and.not.include(null);
    expect(await sequence()).to.equal(2600);
  });

  it('bulk-loader sends what was mended or added since, and nothing that was accepted', async () => {
    const { customerId, credentials, sequence } = await loaderFixture();
    const file = join(folder, 'grown.jsonl');
    const claims: object[] = [0, 1, 2].map((index) => claimOf(customerId, index));
    const load = async (): Promise<string | undefined> => {
      await writeFile(file, claims.map((claim) => JSON.stringify(claim)).join('\n'));
      const ended = await runProgram(process.execPath, ['examples/bulk-loader/main.mjs', file], {
        env: credentials,
      });
      expect(ended.code, ended.stderr).to.equal(0);
      return /^\d+ of [^]*$/m.exec(ended.stdout)?.[0].trim();
    };
    claims.push({ ...claimOf(customerId, 3), confidence: 7 });
    expect(await load()).to.match(/^3 of 4 claims accepted, 1 rejected\nline 4: validation_failed /);
    claims.push(claimOf(customerId, 4), claimOf(customerId, 5));
    expect(await load()).to.match(/^5 of 6 claims accepted, 1 rejected\nline 4: validation_failed /);
    claims[3] = claimOf(customerId, 3);
    expect(await load()).to.equal('6 of 6 claims accepted, 0 rejected');
    expect(await load()).to.equal('6 of 6 claims accepted, 0 rejected');
    expect(await sequence()).to.equal(6);
    claims[0] = { ...claims[0], value: 'changed' };
    expect(await load()).to.equal('6 of 6 claims accepted, 0 rejected');
    expect(await sequence()).to.equal(12);
  });

  it('bulk-loader names the line of the file and what is wrong with it', async () => {
    const { customerId, credentials } = await loaderFixture();
    const file = join(folder, 'blank.jsonl');
    const wrong = { ...claimOf(customerId, 2), confidence: 7 };
    const lines = [claimOf(customerId, 0), '', claimOf(customerId, 1), '', '', wrong];
    await writeFile(file, lines.map((line) => (line === '' ? line : JSON.stringify(line))).join('\n'));
    const { stdout } = await runProgram(process.execPath, ['examples/bulk-loader/main.mjs', file], {
      env: credentials,
    });
    expect(stdout).to.match(/1 rejected\nline 6: validation_failed .*\n {2}[\w.[\]]*confidence: \S.*\n$/);
  });

  it('bulk-loader sends what was rejected anew at each run, and stores it once', async () => {
    const { customerId, credentials, sequence, grant } = await loaderFixture({ isGranted: false });
    const file = join(folder, 'rejected.jsonl');
    const lines = Array.from({ length: 1200 }, (_, index) => JSON.stringify(claimOf(customerId, index)));
    await writeFile(file, lines.join('\n'));
    const load = async (): Promise<string> => {
      const { stdout } = await runProgram(process.execPath, ['examples/bulk-loader/main.mjs', file], {
        env: credentials,
      });
      return stdout;
    };
    expect(await load()).to.match(/^0 of 1200 claims accepted, 1200 rejected\nline 1: consent_denied /m);
    expect(await load()).to.match(/^0 of 1200 claims accepted, 1200 rejected\nline 1: consent_denied /m);
    const rejected = await readFile(`${file}.progress`, 'utf8');
    await grant();
    expect(await load()).to.match(/^1200 of 1200 claims accepted, 0 rejected$/m);
    expect(await sequence()).to.equal(1200);
    // As after a kill before the answers were kept, and then as if nothing was ever kept.
    await writeFile(`${file}.progress`, rejected);
    expect(await load()).to.match(/^1200 of 1200 claims accepted, 0 rejected$/m);
    await rm(`${file}.progress`);
    expect(await load()).to.match(/^1200 of 1200 claims accepted, 0 rejected$/m);
    expect(await sequence()).to.equal(1200);
  });

  itInProofs('bulk-loader sends anew what was rejected before a kill lost the answer', async () => {
    const { customerId, credentials, sequence, grant } = await loaderFixture({ isGranted: false });
    const file = join(folder, 'untold.jsonl');
    await writeFile(file, JSON.stringify(claimOf(customerId, 0)));
    const args = ['examples/bulk-loader/main.mjs', file];
    await runProgram(process.execPath, args, { env: credentials });
    await rm(`${file}.progress`);
    await grant();
    const { stdout } = await runProgram(process.execPath, args, { env: credentials });
    expect(stdout).to.match(/^1 of 1 claims accepted, 0 rejected$/m);
    expect(await sequence()).to.equal(1);
  });

  itInProofs(
    'bulk-loader sends again under the same keys what a progress file of its former form says',
    async () => {
      const { customerId, credentials, sequence } = await loaderFixture();
      const file = join(folder, 'former.jsonl');
      await writeFile(file, JSON.stringify(claimOf(customerId, 0)));
      const args = ['examples/bulk-loader/main.mjs', file];
      await runProgram(process.execPath, args, { env: credentials });
      await writeFile(`${file}.progress`, JSON.stringify({ done: [0], accepted: 1, rejected: [] }));
      const { stdout } = await runProgram(process.execPath, args, { env: credentials });
      expect(stdout).to.equal('batch 1: 1 accepted so far\n1 of 1 claims accepted, 0 rejected\n');
      expect(await sequence()).to.equal(1);
    },
  );

  /** An app with a customer whose claims it may send once it is granted, and how many of them were stored. */
  async function loaderFixture({ isGranted = true } = {}): Promise<LoaderFixture> {
    const partner = await service.makeApp('customers:write', 'consent:write', 'events:write', 'claims:read');
    const customer = await partner.rest('POST', '/v1/customers', { external_id: 'bulk' });
    const customerId = (customer.body as { customer: { id: string } }).customer.id;
    const receipt = { customer_id: customerId, purposes: ['analytics'] };
    const grant = async (): Promise<void> => {
      await partner.rest('POST', '/v1/consent-receipts', receipt);
    };
    if (isGranted) await grant();
    const credentials = { API: service.url, CLIENT_ID: partner.appId, CLIENT_SECRET: partner.clientSecret };
    const sequence = async (): Promise<number> => {
      const [head] = await service.services.database.readAs<{ sequence: number }>(
        partner.appId,
        {
          name: 'test_sequence',
          text: 'SELECT sequence FROM customer_heads WHERE app_id = $1 AND customer_id = $2',
        },
        [partner.appId, customerId],
      );
      return Number(head?.sequence);
    };
    return { customerId, credentials, sequence, grant };
  }
});

interface LoaderFixture {
  customerId: string;
  credentials: Record<string, string>;
  sequence(): Promise<number>;
  grant(): Promise<void>;
}

function claimOf(customerId: string, index: number): object {
  const at = '2026-11-01T09:00:00Z';
  const provenance = { source_partner: 'Example', collected_at: at };
  const claim = { customer_id: customerId, attribute: `survey.a${index}`, value: index, source: 'survey' };
  return { ...claim, observed_at: at, consent_purpose: 'analytics', confidence: 0.9, provenance };
}

interface Started {
  readonly output: string;
  ended: Promise<unknown>;
  saw(pattern: RegExp): Promise<string>;
  kill: ChildProcess['kill'];
}

/** Starts a program that runs on; `saw` waits for a line of it and gives its first group. */
function start(file: string, env: Record<string, string>, args: readonly string[] = []): Started {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
  let output = '';
  const more = new Set<() => void>();
  const take = (text: string): void => {
    output += text;
    for (const look of more) look();
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const saw = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output);
        if (found === null) return;
        more.delete(look);
        resolve(found[1] ?? found[0]);
      };
      more.add(look);
      look();
      void ended.then(() => reject(new Error(`${file} ended: ${output}`)));
    });
  return {
    get output() {
      return output;
    },
    ended,
    saw,
    kill: (signal) => child.kill(signal),
  };
}
