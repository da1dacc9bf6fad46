import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSchema, parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { parseAttributeRegistry } from '../../src/domain/resolution/parseAttributeRegistry.js';
import { freePort } from '../support/freePort.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';
import type { Json } from '../support/TestPartner.js';
import { blocksOf, textOf } from './MarkdownPage.js';
import type { Block } from './MarkdownPage.js';
import { findDifference } from './findDifference.js';
import { runCommand } from './runCommand.js';
import { itInProofs } from '../support/itInProofs.js';
import { runProgram } from '../support/runProgram.js';

const FIRST_PROFILE = 'docs/start/rest.md';
const PAGES = ['docs/start', 'docs/recipes', 'docs/concepts'].flatMap((folder) =>
  readdirSync(folder).map((name) => `${folder}/${name}`),
);

/** Pages that show the package of the TypeScript client. */
const CLIENT_PAGES = ['clients/typescript/README.md', 'docs/start/client.md'];

const EVERY_PAGE = [
  'README.md',
  'clients/typescript/README.md',
  'examples/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The scopes that the recipes ask for beside those of the first page. */
const MORE_SCOPES = '"customers:read", "connections:read", "connections:write", "claims:read"';

describe('the snippets of the documentation', () => {
  let service: TestService;
  let folder: string;

  before(async () => {
    service = await TestService.start();
    await mkdir('.tmp', { recursive: true });
    folder = await mkdtemp(join(process.cwd(), '.tmp/snippets-'));
  });

  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const env = (): Record<string, string> => ({ API: service.url, ADMIN_KEY: TEST_ADMIN_KEY });

  /** Runs shell blocks in one shell; the output of each, which is marked by its number. */
  async function runShell(blocks: readonly Block[], setUp = ''): Promise<string[]> {
    const marked = blocks.map(({ text }, index) => `echo "== ${index}"\n${text}\necho`);
    const script = ['set -eu', setUp, ...marked].join('\n');
    const { code, stdout, stderr } = await runProgram('sh', ['-s'], { env: env(), input: script });
    expect(code, `${stderr}\n${stdout}`).to.equal(0);
    return stdout.split(/^== \d+$/m).slice(1);
  }

  async function runModule(text: string, more: Record<string, string> = {}): Promise<string> {
    const file = join(folder, `${Math.random()}.mjs`);
    await writeFile(file, text);
    const { code, stdout, stderr } = await runProgram(process.execPath, [file], {
      env: { ...env(), ...more },
    });
    expect(code, stderr).to.equal(0);
    return stdout.trim();
  }

  /** A token, a client and a customer, as the first page makes them. */
  async function firstProfile(): Promise<Record<string, string>> {
    const script = `set -eu\n${setUpText()}\nprintf '%s %s %s %s' "$TOKEN" "$CLIENT_ID" "$CLIENT_SECRET" "$CUSTOMER"`;
    const { stdout, stderr } = await runProgram('sh', ['-s'], { env: env(), input: script });
    const [TOKEN, CLIENT_ID, CLIENT_SECRET, CUSTOMER] = stdout.trim().split(/\s+/).slice(-4);
    if (CUSTOMER === undefined || TOKEN === undefined)
      throw new Error(`The first page does not run: ${stderr}`);
    return { TOKEN, CUSTOMER, CLIENT_ID: CLIENT_ID ?? '', CLIENT_SECRET: CLIENT_SECRET ?? '' };
  }

  /** The first page up to its customer and receipt, with the scopes that recipes need. */
  function setUpText(): string {
    const [set, app, token, customer] = blocksOf(FIRST_PROFILE).filter(({ language }) => language === 'sh');
    const wider = app?.text.replace('"customers:write"', `"customers:write", ${MORE_SCOPES}`);
    return [set?.text, wider, token?.text, customer?.text].join('\n');
  }

  function expectAnswers(blocks: readonly Block[], outputs: readonly string[]): void {
    for (const [index, { answer }] of blocks.entries()) {
      if (answer === undefined) continue;
      const last = outputs[index]?.trim().split('\n').at(-1) ?? '';
      expect(findDifference(JSON.parse(answer), JSON.parse(last)), last).to.equal(undefined);
    }
  }

  it('give a first profile over REST, and the answers that the page shows', async () => {
    const blocks = blocksOf(FIRST_PROFILE);
    expectAnswers(blocks, await runShell(blocks));
  });

  it('of the README run in sh, and end with the address of a hosted page', async () => {
    const blocks = blocksOf('README.md').filter(
      ({ language, text }) => language === 'sh' && text.includes('ADMIN_KEY'),
    );
    const [output = ''] = await runShell(blocks);
    expect(output).to.include('"resolved_value":"Lisbon"').and.include('consent_denied');
    expect(output.trim()).to.match(/\/connect\/cs_\w+\?client_token=\S+$/);
  });

  it('of the README report what is missing', async () => {
    const [block] = blocksOf('README.md').filter(({ text }) => text.includes('ADMIN_KEY'));
    const { code, stderr } = await runProgram('sh', ['-s'], {
      env: { ADMIN_KEY: '' },
      input: block?.text ?? '',
    });
    expect(code).not.to.equal(0);
    expect(stderr).to.include('Paste the line export ADMIN_KEY=');
  });

  it('give a first profile over GraphQL, and the answer that the page shows', async () => {
    const page = 'docs/start/graphql.md';
    const answer = blocksOf(page).findLast((block) => block.answer !== undefined)?.answer ?? '';
    const printed = await runModule(textOf(page, 'js'));
    expect(findDifference(JSON.parse(answer), JSON.parse(printed)), printed).to.equal(undefined);
  });

  for (const name of ['connect-a-customer', 'page-through-a-list'])
    it(`run: ${name}`, async () => {
      const blocks = blocksOf(`docs/recipes/${name}.md`);
      expectAnswers(blocks, await runShell(blocks, setUpText()));
    });

  it('refresh a token shortly before it expires, and not earlier', async () => {
    expect(await runModule(textOf('docs/recipes/refresh-a-token.md', 'js'), await firstProfile())).to.equal(
      'true\ntrue',
    );
  });

  it('retry passing failures and report the others', async () => {
    const printed = await runModule(textOf('docs/recipes/handle-403-and-409.md', 'js'), await firstProfile());
    expect(printed).to.equal('idempotency_conflict');
  });

  it('backfill claims without a rejection', async () => {
    const known = await firstProfile();
    expect(await runModule(textOf('docs/recipes/backfill-a-million-claims.md', 'js'), known)).to.equal('0');
  });

  itInProofs('backfill what was rejected when they run again, and store it once', async () => {
    const known = await firstProfile();
    const call = async (path: string, body: object): Promise<Json> => {
      const headers = { authorization: `Bearer ${known.TOKEN}`, 'idempotency-key': `backfill-test-${path}` };
      return (await service.nobody.rest('POST', path, body, headers)).body;
    };
    const { customer } = await call('/v1/customers', { external_id: 'without-consent' });
    const { id } = customer as { id: string };
    const run = () =>
      runModule(textOf('docs/recipes/backfill-a-million-claims.md', 'js'), { ...known, CUSTOMER: id });
    expect(await run()).to.equal('700');
    expect(await run()).to.equal('700');
    await call('/v1/consent-receipts', { customer_id: id, purposes: ['personalization'] });
    expect(await run()).to.equal('0');
    expect(await run()).to.equal('0');
    const heads = await service.sql('SELECT sequence FROM customer_heads WHERE customer_id = $1', [id]);
    expect(heads.map(({ sequence }) => Number(sequence))).to.deep.equal([700]);
  });

  it('verify a webhook, and refuse one that was changed', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const port = await freePort();
    const file = join(folder, 'receiver.mjs');
    await writeFile(file, textOf('docs/recipes/verify-a-webhook.md', 'js'));
    const receiver = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: secret },
    });
    try {
      const body = JSON.stringify({ type: 'webhook.test', data: { endpoint_id: 'whe_1' } });
      const headers = signed(secret, body);
      const post = (text: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
      await untilListening(() => post(body));
      expect((await post(body)).status).to.equal(204);
      expect((await post(`${body} `)).status).to.equal(400);
    } finally {
      receiver.kill();
    }
  });

  it('verify a webhook in two lines', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = JSON.stringify({ type: 'webhook.test', data: { endpoint_id: 'whe_1' } });
    const program = (text: string): string =>
      `const [rawBody, headers] = ${JSON.stringify([text, signed(secret, body)])};
       ${textOf('docs/webhooks.md', 'js')}
       console.log(message.type);`;
    expect(await runModule(program(body), { WEBHOOK_SECRET: secret })).to.equal('webhook.test');
    const changed = await runModule(program(`${body} `), { WEBHOOK_SECRET: secret }).catch(() => 'refused');
    expect(changed).to.equal('refused');
  });

  for (const page of CLIENT_PAGES)
    it(`use the package of the client: ${page}`, async () => {
      const { CLIENT_ID, CLIENT_SECRET } = await firstProfile();
      const program = textOf(page, 'ts')
        .replace(
          '@partner-consent/client',
          new URL('../../clients/typescript/src/index.js', import.meta.url).href,
        )
        .replace('https://consent.example', service.url)
        .replace(
          "clientId: '…', clientSecret: '…'",
          `clientId: '${CLIENT_ID}', clientSecret: '${CLIENT_SECRET}'`,
        );
      expect(await runModule(`${program}\nif (error) throw new Error(JSON.stringify(error));`)).to.match(
        /^cus_\w{26}(\ncus_\w{26})*$/,
      );
    });

  it('install the tarball of the client that npm makes', () => {
    const { version } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')) as Json;
    for (const page of CLIENT_PAGES) {
      const named = readFileSync(page, 'utf8').match(/partner-consent-client-[\w.-]+\.tgz/g);
      expect(named, page).to.deep.equal(Array(2).fill(`partner-consent-client-${String(version)}.tgz`));
    }
  });

  itInProofs(
    'make an account and a member by the commands of the page, and take the membership back',
    async () => {
      const app = await service.makeApp('customers:read', 'profile:read');
      const [block] = blocksOf('docs/oauth.md').filter(({ text }) =>
        text.startsWith('npm run account:create'),
      );
      const commands = (block?.text ?? '')
        .replaceAll('APP_ID', app.appId)
        .replace('[--scopes "…"]', '--scopes "customers:read"')
        .trim()
        .split('\n');
      expect(commands).to.have.length(3);
      for (const command of commands)
        await runCommand(service, command, { ACCOUNT_PASSWORD: 'three-otters-play-chess' });
      expect(
        await service.sql('SELECT scopes FROM app_members WHERE app_id = $1', [app.appId]),
      ).to.deep.equal([]);
      expect(await service.sql("SELECT 1 FROM accounts WHERE email = 'ada@partner.example'")).to.have.length(
        1,
      );
    },
  );

  it('name only existing commands', () => {
    const named = EVERY_PAGE.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/npm run (?:-s )?([a-z][a-z:-]*[a-z])/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named.length).to.be.above(30);
    expect([...new Set(named)].filter((name) => !(name in scripts))).to.deep.equal([]);
  });

  it('show a registry of attributes that the service accepts', () => {
    const rules = parseAttributeRegistry(JSON.parse(firstJson('docs/resolution.md')));
    expect(Object.keys(rules)).to.have.members(['loyalty.tier', 'height_cm']);
  });

  it('show the error of a closed purpose as the service answers it', async () => {
    const { TOKEN, CUSTOMER } = await firstProfile();
    const answer = await service.nobody.rest(
      'GET',
      `/v1/profiles/${CUSTOMER}?consent_purpose=analytics`,
      undefined,
      {
        authorization: `Bearer ${TOKEN}`,
      },
    );
    const shown = JSON.parse(firstJson('docs/concepts/consent.md')) as { error: object };
    expect(Object.keys(shown.error).every((name) => name in (answer.body.error as object))).to.equal(true);
    expect(answer.body.error).to.include({ code: 'consent_denied', message: (shown.error as Json).message });
  });

  it('watch an existing metric', async () => {
    const query = textOf('docs/operations.md', 'promql');
    const [name = ''] = /\w+_total/.exec(query) ?? [];
    const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    expect(metrics).to.include(`# TYPE ${name} counter`);
  });

  it('show GraphQL operations that the schema knows', () => {
    const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
    const operations = PAGES.flatMap((page) =>
      blocksOf(page).filter(({ language }) => language === 'graphql'),
    );
    expect(operations.length).to.be.greaterThan(2);
    for (const { text } of operations) expect(validate(schema, parse(text)), text).to.deep.equal([]);
  });

  it('cover every program of a page', () => {
    const known = /start\/(rest|graphql|client)|recipes\/(connect|page-|refresh|handle|backfill|verify)/;
    const withPrograms = PAGES.filter((page) =>
      blocksOf(page).some(({ language }) => /^(sh|js|ts)$/.test(language)),
    );
    expect(withPrograms.filter((page) => !known.test(page))).to.deep.equal([]);
  });

  it('cover every block of the other pages', () => {
    const run: Record<string, string[]> = {
      // The first starts the service and the suite itself; test/bin and the pipeline do.
      'README.md': ['sh', 'sh'],
      'docs/architecture.md': [''],
      'docs/oauth.md': [''],
      // By the proxies themselves: test/proxies.
      'docs/operations.md': ['nginx', 'haproxy', 'promql'],
      'docs/resolution.md': ['json'],
      'docs/webhooks.md': ['js'],
      'clients/typescript/README.md': ['ts'],
      // test/examples.
      'examples/README.md': ['sh', 'sh'],
    };
    const found = EVERY_PAGE.filter((page) => !PAGES.includes(page)).map((page): [string, string[]] => [
      page,
      [...readFileSync(page, 'utf8').matchAll(/^```(\w*)\n[\s\S]*?^```$/gm)].map(
        ([, language = '']) => language,
      ),
    ]);
    expect(Object.fromEntries(found.filter(([, blocks]) => blocks.length > 0))).to.deep.equal(run);
  });
});

/** The headers of a message, whose time is one and the same. */
function signed(secret: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign('whd_1', now, body),
  };
}

function firstJson(page: string): string {
  return /^```json\n([\s\S]*?)^```$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
}

async function untilListening(ask: () => Promise<Response>): Promise<void> {
  for (let left = 200; left > 0; left -= 1) {
    const answered = await ask().catch(() => undefined);
    if (answered !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
