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
import type { FaultyProcess } from './Faults.js';
import { Faults } from './Faults.js';
import type { RaceCounts } from './Race.js';
import { Race } from './Race.js';

const LONG = process.env['PROOFS'] === 'long';
/** Of a round, which must end before its token does. */
const CUSTOMERS = LONG ? 100 : 12;
const PROCESSES = LONG ? 3 : 2;
const PAUSE_MS = LONG ? 4000 : 2000;

/**
 * Revokes at least, in rounds of three for each customer. Each round tells the figures so far: a run that is
 * ended early proved what it told. Ten thousand revokes are about 800,000 reads.
 */
const REVOKES = Number(process.env['RACE_REVOKES'] ?? (LONG ? 1800 : 1));

const TRIES_OF_BROKEN = 8;

const noCounts = (): RaceCounts => ({ revokes: 0, reads: 0, unanswered: 0, live: 0, stale: 0 });

function add(total: RaceCounts, counts: RaceCounts): void {
  for (const name of Object.keys(total) as (keyof RaceCounts)[]) total[name] += counts[name];
}

interface Node {
  url: string;
  running: Running;
}

/** A process of the sound service, and the one that replaces it when it was killed. */
class SoundNode implements Node, FaultyProcess {
  readonly url: string;
  private readonly databaseUrl: string;
  private service: ChildService;

  private constructor(databaseUrl: string, service: ChildService) {
    this.databaseUrl = databaseUrl;
    this.service = service;
    this.url = service.url;
  }

  static async start(databaseUrl: string): Promise<SoundNode> {
    return new SoundNode(databaseUrl, await ChildService.start(databaseUrl));
  }

  get running(): Running {
    return this.service.running;
  }

  signal(name: NodeJS.Signals): void {
    this.running.child.kill(name);
  }

  async replace(): Promise<void> {
    await this.service.kill();
    const env = { PORT: new URL(this.url).port, BASE_URL: this.url };
    this.service = await ChildService.start(this.databaseUrl, env);
  }
}

describe('proof: no process shows what a revocation answered by another has closed', function () {
  this.timeout(LONG ? 14_400_000 : 600_000);
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

  /** The same app at each of several processes. */
  async function appAt(start: () => Promise<Node>): Promise<TestPartner[]> {
    const started: Node[] = [];
    for (let made = 0; made < PROCESSES; made += 1) {
      const node = await start();
      started.push(node);
      nodes.push(node);
    }
    const [first] = started as [Node];
    const admin = new TestPartner(first.url, { 'x-service-admin-key': TEST_ADMIN_KEY });
    const { body } = await admin.rest('POST', '/v1/apps', {
      name: 'Harbour Books',
      redirect_uris: ['https://partner.example/callback'],
      allowed_scopes: ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
    });
    const credentials = btoa(`${body.app_id}:${body.client_secret}`);
    const issued = await fetch(`${first.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    return started.map(({ url }) => new TestPartner(url, { authorization: `Bearer ${token}` }));
  }

  /** On a slow machine what was kept may be too old by the time that it is asked for: it is tried again. */
  async function findsCache(): Promise<RaceCounts> {
    // Its queues are worked by a sound process, whose commits make nobody forget.
    nodes.push(await ChildService.start(database.ownerUrl));
    const app = await appAt(startBroken);
    const total = noCounts();
    for (let tries = 0; tries < TRIES_OF_BROKEN && total.stale === 0; tries += 1) {
      const broken = new Race(app);
      await broken.prepare(6);
      await broken.run();
      add(total, broken.counts);
    }
    expect(total.stale).to.be.greaterThan(0);
    for (const { running } of nodes.splice(0)) await running.end('SIGKILL');
    return total;
  }

  it('through either door, alone or in a crowd, by documents known or new; a cache of one second is found out', async () => {
    const broken = await findsCache();
    const sound: SoundNode[] = [];
    const faults = new Faults(sound, database.ownerUrl, PAUSE_MS);
    const total = noCounts();
    while (total.revokes < REVOKES) {
      const app = await appAt(async () => {
        const node = await SoundNode.start(database.ownerUrl);
        sound.push(node);
        return node;
      });
      const race = new Race(app);
      await race.prepare(CUSTOMERS);
      await race.run((over) => faults.run(over));
      for (const node of sound.splice(0)) await node.running.end('SIGKILL');
      nodes.splice(0);
      expect(race.counts).to.include({ stale: 0, revokes: CUSTOMERS * 3 });
      expect(race.counts.live).to.be.greaterThan(race.counts.revokes);
      add(total, race.counts);
      tell(total, faults, broken);
    }
  });

  function tell(seen: RaceCounts, { counts }: Faults, broken: RaceCounts): void {
    recordProof({
      proof: 'race/readAfterRevoke',
      injected:
        `revocations through one of ${PROCESSES} processes while all read; ${counts.kills} kill -9 of a process, ` +
        `${counts.stops} stops of one, all connections to the database cut ${counts.cuts} times`,
      times: seen.revokes,
      checked: 'no fact or claim shown to a read sent after the answer, in nine shapes over both doors',
      figure:
        `${seen.reads} reads answered, ${seen.unanswered} not; ` +
        `${seen.live} facts and claims shown rightly, ${seen.stale} stale`,
      broken: `each process keeps profiles for 1 s, cleared by its own commits: ${broken.stale} stale in ${broken.reads} reads`,
    });
  }
});
