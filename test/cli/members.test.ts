import { expect } from 'chai';
import type { TestApp } from '../oauth/OauthHarness.js';
import { OauthHarness, PASSWORD } from '../oauth/OauthHarness.js';
import { signIn } from '../../src/oauth/signIn.js';
import { signUp } from '../../src/accounts/signUp.js';
import { NEWCOMER } from '../accounts/newcomer.js';
import { runProgram } from '../support/runProgram.js';
import type { Ended } from '../support/runProgram.js';

describe('Operator commands for accounts and members', () => {
  let harness: OauthHarness;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp({ allowedScopes: ['customers:read', 'claims:read'] });
  });
  after(() => harness.close());

  function run(
    program: string,
    args: string[],
    password = PASSWORD,
    databaseUrl = harness.node.config.databaseUrl ?? '',
  ): Promise<Ended> {
    return runProgram(process.execPath, [`dist/src/cli/${program}.js`, ...args], {
      env: { DATABASE_URL: databaseUrl, ACCOUNT_PASSWORD: '' },
      input: `${password}\n`,
    });
  }

  async function signInAs(email: string, password = PASSWORD): Promise<string> {
    return (await signIn(harness.node.services, { email, password, address: '203.0.113.9' })).kind;
  }

  async function scopesOf(email: string): Promise<unknown> {
    const [row] = await harness.sql(
      'SELECT scopes FROM app_members JOIN accounts USING (account_id) WHERE app_id = $1 AND email = $2',
      [app.appId, email],
    );
    return row?.['scopes'];
  }

  it('create an account that can sign in, as a member with the named scopes', async () => {
    const args = ['--email', 'Ada@Partner.example', '--app', app.appId, '--scopes', 'customers:read'];
    const { code, stdout } = await run('createAccount', args);
    expect(code).to.equal(0);
    expect(stdout).to.include('Ada@Partner.example').and.not.include(PASSWORD);
    expect(await signInAs('ada@partner.example')).to.equal('signed_in');
    expect(await scopesOf('ada@partner.example')).to.deep.equal(['customers:read']);
  });

  it('generate a password on request', async () => {
    const { stdout } = await run('createAccount', ['--email', 'bea@partner.example', '--generate']);
    const password = /shown this once: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(await signInAs('bea@partner.example', password)).to.equal('signed_in');
  });

  it('add, change and remove members', async () => {
    await run('createAccount', ['--email', 'cid@partner.example']);
    const member = ['--email', 'cid@partner.example', '--app', app.appId];
    expect((await run('addMember', member)).code).to.equal(0);
    expect(await scopesOf('cid@partner.example')).to.deep.equal(['customers:read', 'claims:read']);
    await run('addMember', [...member, '--scopes', 'claims:read']);
    expect(await scopesOf('cid@partner.example')).to.deep.equal(['claims:read']);
    expect((await run('removeMember', member)).code).to.equal(0);
    expect(await scopesOf('cid@partner.example')).to.equal(undefined);
    expect((await run('removeMember', member)).code).to.equal(1);
  });

  it('make no account that they then refuse a membership', async () => {
    const args = ['--email', 'fay@partner.example', '--app', app.appId, '--generate'];
    const refused = await run('createAccount', [...args, '--scopes', 'customers:raed']);
    expect([refused.code, refused.stderr]).to.deep.equal([1, 'There is no scope customers:raed.\n']);
    expect((await run('createAccount', args)).stdout).to.include('shown this once');
  });

  const refusals: [string, string, string[], string][] = [
    ['a weak password', 'createAccount', ['--email', 'eve@partner.example'], 'guessers try first'],
    ['what is not an address', 'createAccount', ['--email', 'eve'], 'not an e-mail address'],
    ['no address', 'createAccount', [], '--email is missing'],
    ['an unknown option', 'createAccount', ['--password', 'x'], '--password'],
    ['an unknown app', 'addMember', ['--email', 'a@b.example', '--app', 'app_none'], 'no app app_none'],
    [
      'an unknown scope',
      'addMember',
      ['--email', 'a@b.example', '--app', 'app_none', '--scopes', 'all'],
      'no scope all',
    ],
  ];
  for (const [title, program, args, message] of refusals) {
    it(`refuse ${title} and give the reason`, async () => {
      const { code, stdout, stderr } = await run(program, args, 'password1234');
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr)
        .to.include(message)
        .and.not.match(/^ +at /m);
    });
  }

  const failures: [string, string, string[], string, RegExp][] = [
    [
      'an unknown account',
      'addMember',
      ['--email', 'none@b.example', '--app', 'APP'],
      'not_found',
      /no account/,
    ],
    ['an unknown app', 'addMember', ['--email', 'a@b.example', '--app', 'app_none'], 'not_found', /no app/],
    ['no member', 'removeMember', ['--email', 'a@b.example', '--app', 'APP'], 'not_found', /not a member/],
    ['a short password', 'createAccount', ['--email', 'a@b.example'], 'invalid_request', /12 to 128/],
    ['what is not an address', 'createAccount', ['--email', 'a'], 'invalid_request', /not an e-mail/],
    ['a file that is not there', 'importOntology', ['none.json'], 'invalid_request', /none\.json: ENOENT/],
    ['a file that is no JSON', 'importOntology', ['README.md'], 'invalid_request', /README\.md: .*JSON/],
    ['no such folder', 'verifyConsent', ['--checkpoints', 'none'], 'invalid_request', /none: ENOENT/],
  ];
  for (const [title, program, args, code, message] of failures) {
    it(`name ${title} with --json as the caller's mistake`, async () => {
      const given = args.map((arg) => (arg === 'APP' ? app.appId : arg));
      const { stderr } = await run(program, [...given, '--json'], 'short');
      const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
      expect(error.code).to.equal(code);
      expect(error.message).to.match(message);
    });
  }

  it('name with --json the setting of a database that is away', async () => {
    const away = 'postgres://somebody:hunter2@127.0.0.1:1/consent';
    const { stderr } = await run('addMember', ['--email', 'a@b.example', '--app', 'x', '--json'], '', away);
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    expect(error.code).to.equal('unavailable');
    expect(error.message).to.match(/^DATABASE_URL: PostgreSQL does not answer at 127\.0\.0\.1:1 /);
  });

  it('name with --json the setting of a database that takes no writes', async () => {
    const url = new URL(harness.node.config.databaseUrl ?? '');
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const args = ['--email', 'a@b.example', '--app', app.appId, '--json'];
    const { stderr } = await run('addMember', args, '', url.href);
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    expect(error.code).to.equal('unavailable');
    expect(error.message).to.match(/^DATABASE_URL: PostgreSQL at .* takes no writes: name its primary, or /);
  });

  it('give no rights to an unproved address, and take over its account', async () => {
    const email = 'victim@partner.example';
    const planted = 'planted-by-somebody-else';
    await signUp(harness.node.services, { email, password: planted, address: '203.0.113.9', ...NEWCOMER });
    const refused = await run('addMember', ['--email', email, '--app', app.appId]);
    expect(refused.code).to.equal(1);
    expect(await scopesOf(email)).to.equal(undefined);
    expect((await run('createAccount', ['--email', email, '--app', app.appId])).code).to.equal(0);
    expect([await signInAs(email, planted), await signInAs(email)]).to.deep.equal(['refused', 'signed_in']);
  });

  it('leave an account unchanged unless told to reset its password', async () => {
    await run('createAccount', ['--email', 'dan@partner.example']);
    const again = await run('createAccount', ['--email', 'dan@partner.example'], 'seven-quiet-rivers');
    expect([again.code, await signInAs('dan@partner.example')]).to.deep.equal([1, 'signed_in']);
    await run('createAccount', ['--email', 'dan@partner.example', '--reset-password'], 'seven-quiet-rivers');
    expect([
      await signInAs('dan@partner.example'),
      await signInAs('dan@partner.example', 'seven-quiet-rivers'),
    ]).to.deep.equal(['refused', 'signed_in']);
  });
});
