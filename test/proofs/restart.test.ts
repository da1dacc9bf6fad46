import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/freePort.js';
import { findPostmaster, stopPostmaster } from '../../src/database/embedded/postmaster.js';
import { Running } from '../support/Running.js';
import { TestPartner } from '../support/TestPartner.js';
import { itInProofs } from '../support/itInProofs.js';
import { recordProof } from '../support/recordProof.js';

const ADMIN_KEY = 'restart-admin-key-0001';

describe('The service as a process', () => {
  let room: string;
  let url: string;
  let environment: NodeJS.ProcessEnv;
  const started: Running[] = [];

  async function start(until = 'is ready at'): Promise<Running> {
    const running = new Running(
      spawn(process.execPath, ['dist/src/main.js'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    started.push(running);
    await running.until(until);
    return running;
  }

  function cluster(): string {
    return realpathSync(join(room, 'data', 'postgres', 'cluster'));
  }

  function operator(): TestPartner {
    return new TestPartner(url, { 'x-service-admin-key': ADMIN_KEY });
  }

  async function createApp(): Promise<string> {
    const app = { name: 'Kept', redirect_uris: ['https://kept.example/back'], allowed_scopes: ['apps:read'] };
    const { status, body } = await operator().rest('POST', '/v1/apps', app);
    expect(status).to.equal(201);
    return String(body.app_id);
  }

  async function nameOf(appId: string): Promise<unknown> {
    const { body } = await operator().rest('GET', `/v1/apps/${appId}`);
    return body.name;
  }

  beforeEach(async () => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'restart-test-')));
    chmodSync(room, 0o755);
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    const { PATH, HOME } = process.env;
    environment = { PATH, HOME, PORT: port, DATA_DIR: join(room, 'data'), ADMIN_KEYS: ADMIN_KEY };
  });

  afterEach(async () => {
    for (const running of started.splice(0)) await running.end('SIGKILL');
    if (existsSync(join(room, 'data', 'postgres', 'cluster'))) await stopPostmaster(cluster());
    rmSync(room, { recursive: true, force: true });
  });

  it('keeps its data after kill -9 and after SIGTERM, which leaves no process', async () => {
    const killed = await start();
    const appId = await createApp();
    await killed.end('SIGKILL');
    const second = await start();
    expect(await nameOf(appId)).to.equal('Kept');
    expect(await second.end('SIGTERM')).to.equal(0);
    expect(findPostmaster(cluster())).to.equal(undefined);
    await start();
    expect(await nameOf(appId)).to.equal('Kept');
  });

  itInProofs('exits with 0 when SIGINT comes twice', async () => {
    const running = await start();
    running.child.kill('SIGINT');
    expect(await running.end('SIGINT')).to.equal(0);
    expect(findPostmaster(cluster())).to.equal(undefined);
  });

  itInProofs('stops its PostgreSQL and exits with 0 at a SIGTERM during the first start', async () => {
    const running = await start('Making a new PostgreSQL');
    expect(await running.end('SIGTERM')).to.equal(0);
    expect(findPostmaster(cluster())).to.equal(undefined);
  });

  itInProofs('answers again after its PostgreSQL was killed', async () => {
    await start();
    const appId = await createApp();
    process.kill(findPostmaster(cluster())?.pid ?? Number.NaN, 'SIGKILL');
    let name: unknown;
    for (let tries = 0; name !== 'Kept' && tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      name = await nameOf(appId).catch(() => undefined);
    }
    expect(name).to.equal('Kept');
  });

  it('reports a HOST that is no address of this machine', async () => {
    // An address of RFC 5737 and a name of RFC 6761: nobody has them.
    for (const HOST of ['203.0.113.1', 'nobody.invalid']) {
      environment = { ...environment, HOST };
      const message = await start().catch((error: Error) => error.message);
      expect(message).to.contain('Set HOST to an address of this machine').and.not.to.contain('    at ');
    }
    expect(existsSync(join(room, 'data', 'postgres'))).to.equal(false);
  });

  itInProofs('reports that a port is in use before it creates a PostgreSQL', async () => {
    await start();
    const { PORT, ...others } = environment;
    for (const [name, ports] of [
      ['PORT', { PORT }],
      ['OPERATIONS_PORT', { PORT: '0', OPERATIONS_PORT: PORT }],
    ] as const) {
      environment = { ...others, ...ports, DATA_DIR: join(room, 'other') };
      const second = await start().catch((error: Error) => error.message);
      expect(second)
        .to.contain('EADDRINUSE')
        .and.to.contain(`Set ${name} to a free port`)
        .and.not.to.contain('    at ');
      expect(existsSync(join(room, 'other', 'postgres'))).to.equal(false);
    }
    recordProof({
      proof: 'restart',
      injected: 'kill -9 of the service and of its PostgreSQL, ends by signals, a port that is taken',
      times: 4,
      checked: 'what was answered is there afterwards; no process stays behind',
      figure: '0 lost',
      broken: '–',
    });
  });
});
