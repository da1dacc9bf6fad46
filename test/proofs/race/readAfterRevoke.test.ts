import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { freePort } from '../../../src/database/embedded/freePort.js';
import { ChildService } from '../../support/ChildService.js';
import { createTestDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { recordProof } from '../../support/recordProof.js';
import { Running } from '../../support/Running.js';
import { TestPartner } from '../../support/TestPartner.js';
import { TEST_ADMIN_KEY, testEnvironment } from '../../support/TestService.js';
import { ALL_SCOPES } from '../../../src/domain/scopes.js';
import type { RaceCounts } from './Race.js';
import { Race } from './Race.js';

const LONG = process.env['PROOFS'] === 'long';
const CUSTOMERS = LONG ? 600 : 12;
const PROCESSES = LONG ? 3 : 2;

interface Node {
  url: string;
  running: Running;
}

describe('proof: no process shows what a revocation answered by another has closed', function () {
  this.timeout(LONG ? 3_600_000 : 240_000);
  let database: TestDatabase;
  const nodes: Node[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const { running } of nodes.splice(0)) await running.end('SIGKILL');
    await database.drop();
  });

  async function startBroken(): Promise<Node> {
    const port = await freePort();
    const { PATH, HOME } = process.env;
    const running = new Running(
      spawn(process.execPath, ['dist/test/proofs/race/cachingNode.js'], {
        env: { PATH, HOME, ...testEnvironment(port, database.ownerUrl, { ROLE: 'gateway' }) },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await running.until('ready at');
    return { url: `http://127.0.0.1:${port}`, running };
  }

  async function race(start: () => Promise<Node>, customers: number): Promise<RaceCounts> {
    for (let made = 0; made < PROCESSES; made += 1) nodes.push(await start());
    const [first] = nodes as [Node];
    const admin = new TestPartner(first.url, { 'x-service-admin-key': TEST_ADMIN_KEY });
    const scopes = ALL_SCOPES.filter((scope) => scope !== 'offline_access');
    const { body } = await admin.rest('POST', '/v1/apps', {
      name: 'Harbour Books',
      redirect_uris: ['https://partner.example/callback'],
      allowed_scopes: scopes,
    });
    const issued = await fetch(`${first.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${body.app_id}:${body.client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const run = new Race(nodes.map(({ url }) => new TestPartner(url, { authorization: `Bearer ${token}` })));
    await run.prepare(customers);
    await run.run();
    return run.counts;
  }

  it('through either door, alone or in a crowd, by documents known or new; a cache of one second is found out', async () => {
    const sound = await race(() => ChildService.start(database.ownerUrl), CUSTOMERS);
    expect(sound.stale).to.equal(0);
    expect(sound.revokes).to.equal(CUSTOMERS * 3);
    expect(sound.live).to.be.greaterThan(sound.revokes);
    for (const { running } of nodes.splice(0)) await running.end('SIGKILL');
    // Its queues are worked by a sound process, whose commits make nobody forget.
    const worker = await ChildService.start(database.ownerUrl);
    const broken = await race(startBroken, 6).finally(() => worker.kill());
    expect(broken.stale).to.be.greaterThan(0);
    recordProof({
      proof: 'race/readAfterRevoke',
      injected: `revocations through one of ${PROCESSES} processes while all read`,
      times: sound.revokes,
      checked: 'no fact or claim shown to a read sent after the answer, in nine shapes over both doors',
      figure: `${sound.reads} reads, ${sound.live} facts and claims shown rightly, ${sound.stale} stale`,
      broken: `each process keeps profiles for 1 s, cleared by its own commits: ${broken.stale} stale in ${broken.reads} reads`,
    });
  });
});
