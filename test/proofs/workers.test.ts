import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/freePort.js';
import { stopPostmaster } from '../../src/database/embedded/postmaster.js';
import { Running } from '../support/Running.js';
import { TestPartner } from '../support/TestPartner.js';
import { itInProofs } from '../support/itInProofs.js';
import { recordProof } from '../support/recordProof.js';

const ADMIN_KEY = 'workers-admin-key-0001';

describe('Several gateways behind one port', () => {
  let room: string;
  let url: string;
  let running: Running;

  before(async () => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'workers-test-')));
    chmodSync(room, 0o755);
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PORT: port, DATA_DIR: join(room, 'data'), ADMIN_KEYS: ADMIN_KEY, WORKERS: '2' };
    const child = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    running = new Running(child);
    await running.until('is ready at');
  });

  after(async () => {
    await running.end('SIGKILL');
    const cluster = join(room, 'data', 'postgres', 'cluster');
    if (existsSync(cluster)) await stopPostmaster(realpathSync(cluster));
    rmSync(room, { recursive: true, force: true });
  });

  /** Processes that run the service on the supervisor's behalf. */
  function members(): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/));
    const ours = rows.filter(
      ([, parent, ...args]) => Number(parent) === running.child.pid && args.join(' ').includes('main.js'),
    );
    return ours.map(([pid]) => Number(pid));
  }

  async function gone(pid: number): Promise<void> {
    while (members().includes(pid)) await new Promise((wake) => setTimeout(wake, 50));
  }

  async function replacements(count: number): Promise<void> {
    while (running.output.split('was replaced').length <= count)
      await new Promise((wake) => setTimeout(wake, 50));
  }

  /**
   * Reads with the time limit that docs/scale.md asks of clients. Each read has a connection of its own: the
   * one that was handed to a process while it was killed is never answered.
   */
  async function nameRead(appId: string): Promise<unknown> {
    for (;;) {
      const headers = { 'x-service-admin-key': ADMIN_KEY, connection: 'close' };
      const signal = AbortSignal.timeout(10_000);
      const answer = await fetch(`${url}/v1/apps/${appId}`, { headers, signal }).catch(() => undefined);
      if (answer === undefined) continue;
      expect(answer.status).to.equal(200);
      return ((await answer.json()) as { name: unknown }).name;
    }
  }

  it('answer while any of them is killed, and are replaced', async () => {
    const operator = new TestPartner(url, { 'x-service-admin-key': ADMIN_KEY });
    const app = {
      name: 'Shared',
      redirect_uris: ['https://shared.example/back'],
      allowed_scopes: ['apps:read'],
    };
    const { status, body } = await operator.rest('POST', '/v1/apps', app);
    expect(status).to.equal(201);
    while (members().length < 3) await new Promise((wake) => setTimeout(wake, 50));
    let replaced = 0;
    for (const victim of members()) {
      process.kill(victim, 'SIGKILL');
      await gone(victim);
      expect(await nameRead(String(body.app_id))).to.equal('Shared');
      replaced += 1;
      await replacements(replaced);
    }
  });

  itInProofs('end together with exit code 0', async () => {
    const pids = members();
    expect(await running.end('SIGTERM')).to.equal(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH');
    recordProof({
      proof: 'workers',
      injected: 'kill -9 of each of several gateways behind one port, then SIGTERM to all',
      times: pids.length,
      checked: 'the others serve, each is replaced; all end together with exit 0',
      figure: 'served after each kill; none stays behind',
      broken: '–',
    });
  });
});
