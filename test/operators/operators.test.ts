import { randomUUID } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { fingerprint } from '../../src/domain/secretToken.js';
import { TABLES_OF_APPS, eraseApp } from '../../src/jobs/eraseApp.js';
import { latestMigration } from '../../src/database/latestMigration.js';
import { programs } from '../../src/cli/programs.js';
import { commandOptions, completionFor } from '../../src/cli/completionFor.js';
import { TEST_SECRETS_KEY } from '../support/database.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { bookOntology } from '../support/ingestRecords.js';
import { runProgram } from '../support/runProgram.js';
import type { Ended } from '../support/runProgram.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';

const OPERATOR = `key:${fingerprint(TEST_ADMIN_KEY)}`;

describe('operators', function () {
  // Commands are processes of their own, on a machine that may be busy.
  this.timeout(180_000);
  const room = mkdtempSync(join(tmpdir(), 'consent-operators-'));
  let service: TestService;

  before(async () => {
    service = await TestService.start({ OPERATIONS_PORT: '0' });
  });
  after(async () => {
    await service.stop();
    rmSync(room, { recursive: true, force: true });
  });

  async function operator(method: string, path: string, headers: Record<string, string> = {}): Promise<Json> {
    const sent = { 'x-service-admin-key': TEST_ADMIN_KEY, ...headers };
    const response = await fetch(`${service.operationsUrl}/operator${path}`, { method, headers: sent });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  }

  function consent(...args: string[]): Promise<Ended> {
    const secrets = { SECRETS_KEY: TEST_SECRETS_KEY, ADMIN_KEYS: TEST_ADMIN_KEY, DATA_DIR: room };
    const env = { DATABASE_URL: service.database.ownerUrl, ...secrets };
    return runProgram(process.execPath, ['dist/src/cli/consent.js', ...args], { env });
  }

  const logOf = (requestId: string): Promise<Json[]> =>
    service.sql('SELECT * FROM operator_log WHERE request_id = $1 ORDER BY entry_id', [requestId]);

  describe('routes', () => {
    it('require an administrative key and the port of operations', async () => {
      const app = await service.makeApp();
      expect((await fetch(`${service.operationsUrl}/operator/apps`)).status).to.equal(401);
      const withToken = await fetch(`${service.operationsUrl}/operator/apps`, { headers: app.credentials });
      expect(withToken.status).to.equal(401);
      expect(
        (await operator('GET', '/apps', { 'x-service-admin-key': 'wrong-key-0123456789' })).status,
      ).to.equal(401);
      const headers = { 'x-service-admin-key': TEST_ADMIN_KEY };
      expect((await fetch(`${service.url}/operator/apps`, { headers })).status).to.equal(404);
      expect((await operator('GET', '/apps')).status).to.equal(200);
    });

    it('ask for that key alone, and name the methods that they know', async () => {
      const messageOf = async (headers: Record<string, string>): Promise<string> => {
        const response = await fetch(`${service.operationsUrl}/operator/apps`, { headers });
        return ((await response.json()) as Json).error.message as string;
      };
      for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: 'Basic x' }])
        expect(await messageOf(headers as Record<string, string>)).to.equal(
          'An administrative key is required.',
        );
      expect(await messageOf({ 'x-service-admin-key': 'wrong' })).to.equal(
        'The administrative key is wrong.',
      );
      for (const method of ['PUT', 'OPTIONS']) {
        const { status, headers, body } = await operator(method, '/apps/app_x');
        expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, DELETE']);
        expect(body.error.code).to.equal('method_not_allowed');
      }
    });

    it('list apps page by page', async () => {
      for (let made = 0; made < 3; made += 1) await service.makeApp();
      const all = (await operator('GET', '/apps?limit=1000')).body.data as Json[];
      const seen: Json[] = [];
      for (let after: string | null = ''; after !== null;) {
        const { body } = await operator('GET', `/apps?limit=2${after === '' ? '' : `&after=${after}`}`);
        seen.push(...body.data);
        after = body.next as string | null;
      }
      expect(seen).to.deep.equal(all);
      expect(JSON.stringify(all)).to.not.match(/secret/);
    });

    it('disable an app at once and enable it again', async () => {
      const app = await service.makeApp();
      expect((await app.rest('GET', '/v1/customers')).status).to.equal(200);
      expect((await operator('POST', `/apps/${app.appId}/disable`)).body.status).to.equal('disabled');
      expect(
        (await operator('GET', '/apps?status=disabled')).body.data.map((one: Json) => one.app_id),
      ).to.include(app.appId);
      for (let status = 200; status !== 401;) ({ status } = await app.rest('GET', '/v1/customers'));
      expect((await operator('POST', `/apps/${app.appId}/enable`)).body.status).to.equal('active');
      expect((await operator('GET', `/apps/${app.appId}`)).body.status).to.equal('active');
      for (let status = 401; status !== 200;) ({ status } = await app.rest('GET', '/v1/customers'));
    });

    it('name the problems of a request', async () => {
      const none = await operator('GET', '/apps/app_none');
      expect([none.status, none.body.error.code]).to.deep.equal([404, 'not_found']);
      const wrong = await operator('GET', '/apps?status=gone&colour=red&limit=5000');
      expect(wrong.status).to.equal(422);
      const fields = wrong.body.error.details.map(({ field }: Json) => field);
      expect(fields).to.have.members(['status', 'colour']);
      expect((await operator('GET', '/apps?limit=5000')).status).to.equal(422);
      expect((await operator('GET', '/apps?limit=1&limit=2')).status).to.equal(400);
      expect((await operator('POST', '/workflows/wf_none/retry')).status).to.equal(404);
    });

    it('show members, workflows, queues and quotas', async () => {
      const app = await service.makeApp();
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization');
      await sendClaims(app, claimBody(customer));
      const workflow = await revoke(app, receipt);
      expect((await operator('GET', `/apps/${app.appId}/members`)).body).to.deep.equal({
        data: [],
        next: null,
      });
      const path = `/workflows?app=${app.appId}&type=consent_revocation_cascade`;
      let found: Json[] = [];
      while (found.length === 0) found = (await operator('GET', `${path}&status=completed`)).body.data;
      expect(found.map(({ workflow_id }) => workflow_id)).to.deep.equal([workflow]);
      expect((await operator('POST', `/workflows/${workflow}/retry`)).status).to.equal(409);
      const queues: Json[] = (await operator('GET', '/queues')).body.data;
      const idle = queues.find(({ oldest_ready_at: at }) => Date.parse(at) > Date.now());
      expect(idle, 'learning is put off').to.deep.include({ oldest_seconds: 0 });
      const { limits, used } = (await operator('GET', `/apps/${app.appId}/quotas`)).body;
      expect(limits).to.deep.include({ points_per_minute: null, requests_at_once_per_process: 64 });
      expect(used).to.deep.include({ customers: 1, claims_last_day: 1, members: 0 });
      expect(used.replay_bytes).to.be.greaterThan(0);
      expect((await operator('GET', '/apps/app_none/quotas')).status).to.equal(404);
    });
  });

  describe('deleting an app', () => {
    async function fill(): Promise<TestPartner> {
      const app = await service.makeApp();
      expectStatus(
        await app.rest('POST', '/v1/webhook-endpoints', {
          url: 'https://hooks.partner.example/in',
          enabled_events: ['*'],
        }),
        201,
      );
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization', 'support');
      await sendClaims(app, claimBody(customer));
      await revoke(app, receipt, 'support');
      const own = `own${randomUUID()}`;
      const ontology = { ...bookOntology(), app_id: app.appId };
      expectStatus(await service.admin.rest('PUT', `/v1/ontologies/${own}`, ontology), 201);
      return app;
    }

    /** Rows of the app by table, its directories included. */
    async function rowsOf(appId: string): Promise<Record<string, number>> {
      const counts: [string, number][] = [];
      for (const table of [...TABLES_OF_APPS, 'consent_ledger', 'consent_ledger_heads', 'apps']) {
        const [row] = await service.sql(`SELECT count(*)::integer AS n FROM ${table} WHERE app_id = $1`, [
          appId,
        ]);
        if (row.n > 0) counts.push([table, row.n]);
      }
      return Object.fromEntries(counts);
    }

    it('knows every table that belongs to apps', async () => {
      const rows = await service.sql(
        `SELECT DISTINCT table_name AS name FROM information_schema.columns
          WHERE column_name = 'app_id' AND table_schema = 'public'`,
      );
      const known = [...TABLES_OF_APPS, 'apps', 'consent_ledger', 'consent_ledger_heads', 'app_erasures'];
      expect(rows.map(({ name }) => name)).to.have.members(known);
    });

    it('requires its id twice', async () => {
      const app = await service.makeApp();
      expect((await operator('DELETE', `/apps/${app.appId}`)).status).to.equal(422);
      expect((await operator('DELETE', `/apps/${app.appId}?confirm=yes`)).status).to.equal(422);
      expect((await operator('GET', `/apps/${app.appId}`)).body.status).to.equal('active');
      expect((await operator('DELETE', '/apps/app_none?confirm=app_none')).status).to.equal(404);
    });

    it('erases all its rows and none of another app', async () => {
      const [app, other] = [await fill(), await fill()];
      const path = `/apps/${app.appId}?confirm=${app.appId}`;
      const begun = await operator('DELETE', path);
      expect([begun.status, begun.body.app_id]).to.deep.equal([202, app.appId]);
      expect((await operator('DELETE', path)).body.erasure_id).to.equal(begun.body.erasure_id);
      expect((await operator('POST', `/apps/${app.appId}/enable`)).status).to.equal(409);
      const enabled = await service.admin.rest('PATCH', `/v1/apps/${app.appId}`, { status: 'active' });
      expect(enabled.status).to.equal(409);
      while (Object.hasOwn(await rowsOf(app.appId), 'apps'))
        await new Promise((wake) => setTimeout(wake, 20));
      // What a request under way leaves behind is erased by a second pass, a minute later.
      const erasure = begun.body.erasure_id as string;
      await service.sql(
        `INSERT INTO tally_changes (app_id, measure, key, amount) VALUES ($1, 'request', 1, 1)`,
        [app.appId],
      );
      expect(await eraseApp(service.services, erasure)).to.equal('done');
      expect(await rowsOf(app.appId)).to.deep.equal({});
      const [listed] = (await operator('GET', `/erasures?erasure=${erasure}`)).body.data as Json[];
      expect([listed.status, listed.erased.customers, listed.erased.claims]).to.deep.equal([
        'completed',
        1,
        1,
      ]);
      expect(listed.erased.consent_ledger).to.be.greaterThan(1);
      const left = await rowsOf(other.appId);
      expect(left).to.include.keys(
        'apps',
        'customers',
        'claims',
        'facts',
        'consent_ledger',
        'webhook_endpoints',
        'ontologies',
      );
      expect((await other.rest('GET', '/v1/customers')).body.data).to.have.length(1);
    });

    it('is the only statement by which the service may delete from a ledger', async () => {
      const app = await fill();
      const client = new pg.Client({ connectionString: service.database.serviceUrl });
      await client.connect();
      const refused = async (statement: string): Promise<string> =>
        client.query(statement, [app.appId]).then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
      await client.query(`SELECT set_config('consent.app_id', $1, false)`, [app.appId]);
      expect(await refused('DELETE FROM consent_ledger WHERE app_id = $1')).to.equal('42501');
      expect(await refused('SELECT erase_ledger($1, 1)')).to.equal('42501');
      await client.end();
    });
  });

  describe('the operator log', () => {
    it('contains every request of an administrative key, without its values', async () => {
      const body = {
        name: 'Very private name',
        redirect_uris: ['https://partner.example/cb'],
        allowed_scopes: ['customers:read'],
      };
      const made = await service.admin.rest('POST', '/v1/apps', body, { 'x-request-id': 'log-1' });
      expectStatus(made, 201);
      const { client_secret: secret, app_id: id } = made.body;
      await service.admin.graphql(
        'mutation ($id: ID!, $key: String!) { updateApp(id: $id, input: { status: DISABLED }, idempotencyKey: $key) { id } }',
        { id, key: 'log-key-1-0123456789' },
        { 'x-request-id': 'log-2' },
      );
      await service.admin.rest('GET', '/v1/apps/app_none', undefined, { 'x-request-id': 'log-3' });
      await operator('GET', '/apps', { 'x-request-id': 'log-4' });
      const acts = await service.sql(
        `SELECT * FROM operator_log WHERE request_id LIKE 'log-_' ORDER BY request_id, entry_id`,
      );
      expect(
        acts.map(({ request_id, action, outcome }) => `${request_id} ${action} ${outcome}`),
      ).to.deep.equal([
        'log-1 createApp begun',
        'log-1 createApp done',
        'log-2 updateApp begun',
        'log-2 updateApp done',
        'log-3 app begun',
        'log-3 app refused',
        'log-4 apps list begun',
        'log-4 apps list done',
      ]);
      expect(new Set(acts.map((act) => act.operator))).to.deep.equal(new Set([OPERATOR]));
      expect(acts[0]?.target).to.deep.equal({ fields: ['allowedScopes', 'name', 'redirectUris'] });
      expect(acts[2]?.target).to.deep.include({ id, status: 'disabled' });
      expect(JSON.stringify(acts))
        .to.not.include(secret)
        .and.not.include(TEST_ADMIN_KEY)
        .and.not.include('private');
    });

    it('prevents an action that cannot be recorded', async () => {
      const count = async (): Promise<number> =>
        (await service.sql('SELECT count(*)::integer AS n FROM apps'))[0].n;
      const before = await count();
      await service.sql('ALTER TABLE operator_log ADD CONSTRAINT is_full CHECK (false) NOT VALID');
      try {
        const body = {
          name: 'Unseen',
          redirect_uris: ['https://partner.example/cb'],
          allowed_scopes: ['customers:read'],
        };
        expect((await service.admin.rest('POST', '/v1/apps', body)).status).to.equal(500);
        expect((await operator('GET', '/apps')).status).to.equal(500);
        expect((await consent('apps', 'list')).code).to.equal(1);
        expect(await count()).to.equal(before);
      } finally {
        await service.sql('ALTER TABLE operator_log DROP CONSTRAINT is_full');
      }
    });

    it('never calls an act that was done a failure', async () => {
      await service.sql(
        `ALTER TABLE operator_log ADD CONSTRAINT is_full CHECK (outcome <> 'done') NOT VALID`,
      );
      try {
        expect((await operator('GET', '/apps', { 'x-request-id': 'half-told' })).status).to.equal(500);
      } finally {
        await service.sql('ALTER TABLE operator_log DROP CONSTRAINT is_full');
      }
      const rows = await service.sql(`SELECT outcome FROM operator_log WHERE request_id = 'half-told'`);
      expect(rows).to.deep.equal([{ outcome: 'begun' }]);
    });

    it('cannot be changed, not even by the owner of the tables', async () => {
      await operator('GET', '/apps', { 'x-request-id': 'kept' });
      const gateway = new pg.Client({ connectionString: service.database.serviceUrl });
      const owner = new pg.Client({ connectionString: service.database.ownerUrl });
      for (const client of [gateway, owner]) {
        await client.connect();
        for (const statement of [
          `UPDATE operator_log SET operator = 'x'`,
          'DELETE FROM operator_log',
          'TRUNCATE operator_log',
        ]) {
          const code = await client.query(statement).then(
            () => 'done',
            (error: { code: string }) => error.code,
          );
          expect(code, statement).to.equal('42501');
        }
        await client.end();
      }
      expect(await logOf('kept')).to.have.length(2);
    });

    it('can be read by route and command and records its own reads', async () => {
      await operator('GET', '/queues', { 'x-request-id': 'read-me' });
      const { body } = await operator('GET', '/log?request=read-me');
      expect(body.data.map(({ outcome }: Json) => outcome)).to.deep.equal(['done', 'begun']);
      const { stdout } = await consent('log', 'list', '--request', 'read-me', '--json');
      expect(JSON.parse(stdout).data).to.deep.equal(body.data);
      const own = JSON.parse((await consent('log', 'list', '--json', '--limit', '1')).stdout).data[0];
      expect(own).to.deep.include({ via: 'command', action: 'log list', outcome: 'begun' });
      expect(own.operator).to.match(/^user:.+@.+/);
    });
  });

  describe('commands', () => {
    it('give the same answers as the routes', async () => {
      const app = await service.makeApp();
      const disabled = await consent('apps', 'disable', app.appId, '--json');
      expect(JSON.parse(disabled.stdout)).to.deep.include({ app_id: app.appId, status: 'disabled' });
      const shown = await consent('apps', 'show', app.appId);
      expect(shown.stdout).to.match(/^status +disabled$/m);
      const wrong = await consent('apps', 'delete', app.appId, '--json');
      expect([wrong.code, JSON.parse(wrong.stderr).error.code]).to.deep.equal([1, 'validation_failed']);
      const asked = await consent('apps', 'delete', app.appId, '--confirm', app.appId, '--json');
      expect(JSON.parse(asked.stdout)).to.deep.include({ app_id: app.appId });
    });

    it('print JSON', async () => {
      const app = await service.makeApp('customers:read');
      const email = 'json@partner.example';
      const made = JSON.parse(
        (await consent('account', 'create', '--email', email, '--generate', '--json')).stdout,
      );
      expect(made).to.include.keys('account_id', 'password', 'email');
      const added = JSON.parse(
        (await consent('member', 'add', '--email', email, '--app', app.appId, '--json')).stdout,
      );
      expect(added).to.deep.equal({ email, app_id: app.appId, scopes: ['customers:read'] });
      const verified = JSON.parse((await consent('consent', 'verify', '--app', app.appId, '--json')).stdout);
      expect(verified).to.deep.equal({ ledgers: [{ app_id: app.appId, records: 0 }] });
      const acts = await service.sql(`SELECT target FROM operator_log WHERE via = 'command'`);
      expect(JSON.stringify(acts)).to.not.include(email).and.not.include(made.password);
    });

    it('include every npm script that runs a program', () => {
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
        scripts: Record<string, string>;
      };
      const files = Object.values(scripts).flatMap(
        (script) => /dist\/src\/cli\/(\w+)\.js/.exec(script)?.[1] ?? [],
      );
      expect(files).to.include('migrate');
      const loaded = readFileSync('src/cli/programs.ts', 'utf8');
      for (const file of files) if (file !== 'consent') expect(loaded, file).to.include(`./${file}.js`);
    });

    it('report results and errors of the database and the demo as JSON', async () => {
      const migrated = await consent('database', 'migrate', '--json');
      expect(JSON.parse(migrated.stdout)).to.deep.equal({ migration: latestMigration() });
      const [none, wrong] = [
        await consent('demo', 'data', '--url', 'http://127.0.0.1:1', '--json'),
        await consent('demo', 'data', '--customers', 'many', '--json'),
      ];
      expect([none.code, JSON.parse(none.stderr).error.code]).to.deep.equal([1, 'unavailable']);
      expect([wrong.code, JSON.parse(wrong.stderr).error.code]).to.deep.equal([1, 'invalid_request']);
    });

    it('accept exactly the options that are completed', async () => {
      // Those of the actions are completed from what they are parsed by. A process for each would cost a
      // second of processor time: one loads them all, and each tells its help.
      const script = `
        const { programs } = await import(process.argv[1]);
        process.argv[2] = '--help';
        for (const [words, { load }] of Object.entries(programs)) {
          console.log('\\n# ' + words);
          await load();
        }`;
      const module = pathToFileURL('dist/src/cli/programs.js').href;
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, module]);
      const told = stdout.split('\n# ').slice(1);
      expect(told).to.have.length(Object.keys(programs).length);
      for (const help of told) {
        const [words = ''] = help.split('\n');
        const options = [...(commandOptions()[words] ?? []), 'json', 'help'].map((name) => `--${name}`);
        expect(/^Options: (.*)$/m.exec(help)?.[1]?.split(' '), words).to.have.members(options);
      }
    });

    it('print help with their options', async () => {
      const { code, stdout } = await consent('member', 'add', '--help');
      expect(code).to.equal(0);
      expect(stdout).to.match(/^Options: --email --app --scopes --json --help$/m);
    });

    it('are completed by bash', () => {
      const complete = (...words: string[]): string[] => {
        const script = `${completionFor('bash')}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
          _consent; printf '%s\\n' "\${COMPREPLY[@]}"`;
        return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
      };
      expect(complete('consent', 'ap')).to.deep.equal(['apps']);
      expect(complete('consent', 'apps', 'd')).to.have.members(['disable', 'delete']);
      expect(complete('consent', 'apps', 'delete', '--c')).to.deep.equal(['--confirm']);
      expect(complete('consent', 'keys', 'rotate', '--')).to.have.members(['--json', '--help']);
    });

    it('list the existing commands after a misspelled one', async () => {
      const { code, stderr } = await consent('apps', 'lst');
      expect(code).to.equal(1);
      expect(stderr).to.include('There is no command "apps lst".').and.include('apps list');
    });
  });
});
