import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/freePort.js';
import { createEmptyDatabase } from '../support/database.js';
import { registerApp } from '../support/registerApp.js';
import { recordProof } from '../support/recordProof.js';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';
import { Running } from '../support/Running.js';
import type { Answer } from '../support/TestPartner.js';
import { testEnvironment } from '../support/TestService.js';
import { skipUnless } from '../support/skipUnless.js';
import { IN_PROOFS, ONLY_IN_PROOFS } from '../support/itInProofs.js';

/** The commit from which an upgrade is proved. */
const OLD_COMMIT = '8c663cb';
const CLIENTS = 4;

class Gateway {
  readonly url: string;
  private readonly running: Running;
  inFlight = 0;

  private constructor(url: string, running: Running) {
    this.url = url;
    this.running = running;
  }

  static async start(
    folder: string,
    databaseUrl: string,
    env: Record<string, string> = {},
  ): Promise<Gateway> {
    const port = await freePort();
    const { PATH, HOME } = process.env;
    const own = { BASE_URL: 'http://127.0.0.1:4000', LOG_LEVEL: 'error', ...env };
    const settings = testEnvironment(port, databaseUrl, own);
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      cwd: folder,
      env: { PATH, HOME, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new Running(child);
    const gateway = new Gateway(`http://127.0.0.1:${port}`, running);
    while ((await fetch(`${gateway.url}/readyz`).catch(() => ({ status: 0 }))).status !== 200) {
      if (child.exitCode !== null) throw new Error(`The gateway ended:\n${running.output}`);
      await new Promise((wake) => setTimeout(wake, 50));
    }
    return gateway;
  }

  /**
   * Ends it when nothing is under way on it any more, as an operator does who took it out of the balancer.
   */
  async stop(): Promise<void> {
    while (this.inFlight > 0) await new Promise((wake) => setTimeout(wake, 10));
    await this.end();
  }

  /** The errors that it logged. */
  get log(): string {
    return this.running.output;
  }

  /** Whatever is under way on it; at once where it has ended. */
  async end(): Promise<void> {
    await this.running.end('SIGTERM');
  }
}

/** Beside the load: what it sends meanwhile must be answered too. */
async function migrate(databaseUrl: string): Promise<void> {
  const env = { ...process.env, ...testEnvironment(0, databaseUrl) };
  const running = new Running(spawn(process.execPath, ['dist/src/cli/migrate.js'], { env }));
  if ((await running.end()) !== 0) throw new Error(`The migration failed:\n${running.output}`);
}

function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${String(error)}${cause}`;
}

/** An upgrade from an earlier commit and back, one gateway after the other, under load. */
describe('A rolling upgrade', function () {
  this.timeout(1_800_000);
  const room = mkdtempSync(join(tmpdir(), 'upgrade-proof-'));
  const started: Gateway[] = [];
  let folder = process.env['OLD_VERSION_FOLDER'];

  async function start(...place: Parameters<typeof Gateway.start>): Promise<Gateway> {
    const gateway = await Gateway.start(...place);
    started.push(gateway);
    return gateway;
  }

  before(function () {
    if (!IN_PROOFS || folder !== undefined) return;
    folder = join(room, 'old');
    execFileSync('sh', ['-c', `git archive ${OLD_COMMIT} --prefix=old/ | tar -x -C ${room}`]);
    execFileSync('node', ['bin/launch.cjs', 'prepare'], { cwd: folder, stdio: 'ignore' });
  });
  after(async () => {
    for (const gateway of started) await gateway.end();
    rmSync(room, { recursive: true, force: true });
  });

  it('fails no request and loses nothing, and neither does its roll-back', async function () {
    skipUnless(this, IN_PROOFS, ONLY_IN_PROOFS);
    if (folder === undefined) throw new Error('The old version is missing.');
    const databaseUrl = await createEmptyDatabase();
    const now = resolve('.');
    const gateways = [await start(folder, databaseUrl), await start(folder, databaseUrl)];
    const failures: string[] = [];
    let step = 'before the upgrade';
    const state = { requests: 0, turn: 0, isOver: false };

    /** The balancer: each request to the next gateway that is in it. */
    const send = async (ask: (url: string) => Promise<Answer>, expected: number): Promise<Answer> => {
      const gateway = gateways[(state.turn += 1) % gateways.length];
      if (gateway === undefined) throw new Error('No gateway is left.');
      gateway.inFlight += 1;
      state.requests += 1;
      try {
        const answer = await ask(gateway.url);
        if (answer.status !== expected)
          failures.push(`${step}: ${answer.status}, not ${expected}: ${answer.text.slice(0, 200)}`);
        return answer;
      } finally {
        gateway.inFlight -= 1;
      }
    };

    const { url } = gateways[0] as Gateway;
    const app = await registerApp(url);
    const customers: string[] = [];
    for (let made = 0; made < 20; made += 1) {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization');
      await sendClaims(app, claimBody(customer));
      customers.push(customer);
    }
    const withdrawn: string[] = [];
    const accepted: string[] = [];
    const client = async (place: number): Promise<void> => {
      for (let round = place; !state.isOver; round += 1) {
        const customer = customers[round % customers.length] ?? '';
        const path = `/v1/profiles/${customer}?consent_purpose=personalization`;
        await send((at) => app.at(at).rest('GET', path), 200);
        const claim = await send((at) => app.at(at).rest('POST', '/v1/claims', claimBody(customer)), 202);
        if (claim.status === 202) accepted.push(claim.body.workflow_id as string);
        const query = '{ customers(first: 2) { nodes { id } } }';
        await send((at) => app.at(at).graphql(query), 200);
        if (round % 10 !== 0) continue;
        const made = await send(
          (at) => app.at(at).rest('POST', '/v1/customers', { external_id: `fresh-${place}-${round}` }),
          201,
        );
        const fresh = made.body.customer.id as string;
        const consent = {
          customer_id: fresh,
          purposes: ['support'],
          terms_version: '1',
          privacy_policy_version: '1',
        };
        const receipt = (await send((at) => app.at(at).rest('POST', '/v1/consent-receipts', consent), 201))
          .body.id as string;
        await send((at) => app.at(at).rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {}), 202);
        withdrawn.push(fresh);
      }
    };
    const load = Array.from({ length: CLIENTS }, (_, place) =>
      client(place).catch((error: unknown) => void failures.push(`${step}: ${describeError(error)}`)),
    );
    const more = async (): Promise<void> => {
      const until = state.requests + 60;
      while (state.requests < until && failures.length === 0)
        await new Promise((wake) => setTimeout(wake, 20));
    };
    /** One gateway out, its successor in; the other goes on meanwhile. */
    const replace = async (what: string, by: string, env: Record<string, string> = {}): Promise<void> => {
      step = what;
      const successor = await start(by, databaseUrl, env);
      const gone = gateways.pop();
      gateways.unshift(successor);
      await gone?.stop();
      await more();
    };

    await more();
    step = 'while it is migrated';
    await migrate(databaseUrl);
    await more();
    await replace('the first upgraded', now, { MIGRATIONS: 'wait' });
    await replace('both upgraded', now, { MIGRATIONS: 'wait' });
    const upgraded = state.requests;
    await replace('the first rolled back', folder, { NEWER_SCHEMA: 'allow' });
    await replace('both rolled back', folder, { NEWER_SCHEMA: 'allow' });
    await replace('the first upgraded again', now);
    await replace('both upgraded again', now);
    state.isOver = true;
    await Promise.all(load);
    const logged = failures.length === 0 ? [] : started.map(({ log }) => log.slice(0, 2000));
    expect([...failures.slice(0, 5), ...logged].join('\n')).to.equal('');

    const last = app.at(gateways[0]?.url ?? '');
    for (const id of accepted) {
      let status = '';
      while (status !== 'completed') {
        status = expectStatus(await last.rest('GET', `/v1/workflows/${id}`), 200).status as string;
        expect(status).to.not.equal('failed');
      }
    }
    for (const customer of withdrawn) {
      const answer = await last.rest('GET', `/v1/profiles/${customer}?consent_purpose=support`);
      expect(answer.status).to.equal(403);
    }
    for (const gateway of gateways) await gateway.stop();
    recordProof({
      proof: 'rollingUpgrade',
      injected: `two gateways of ${OLD_COMMIT} replaced one after the other, rolled back and upgraded again, under load`,
      times: 6,
      checked: 'no request fails, nothing accepted is lost, nothing withdrawn is shown',
      figure: `${state.requests} requests (${upgraded} up to the first upgrade), 0 failed; ${accepted.length} claims applied, ${withdrawn.length} withdrawals closed`,
      broken: '–',
    });
  });
});
