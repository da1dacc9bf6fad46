import { expect } from 'chai';
import { ChildService } from '../../support/ChildService.js';
import { createTestDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { recordProof } from '../../support/recordProof.js';
import type { Running } from '../../support/Running.js';
import { AppToken } from './AppToken.js';
import { Faults } from './Faults.js';
import { Gateway } from './Gateway.js';
import type { RaceCounts } from './Race.js';
import { Race } from './Race.js';
import { SHAPES } from './shapes.js';
import { SoundNode } from './SoundNode.js';
import { IN_PROOFS, itInProofs } from '../../support/itInProofs.js';

const PROCESSES = IN_PROOFS ? 3 : 2;
const PAUSE_MS = IN_PROOFS ? 12_000 : 2000;
const REVOKES = Number(process.env['RACE_REVOKES'] ?? (IN_PROOFS ? 10_000 : 18));
const OPTIONS = IN_PROOFS
  ? { lanes: 24, readersPerProcess: 8, readsPerRevoke: 110 }
  : { lanes: 4, readersPerProcess: 4, readsPerRevoke: 30 };
/** On a slow machine what was kept may be too old by the time that it is asked for: it is tried again. */
const TRIES_OF_BROKEN = 8;
/** A run that is ended early has told what it proved. */
const TELL_MS = 60_000;

interface Node {
  url: string;
  running: Running;
}

describe('Reads after a revocation answered by another process', function () {
  this.timeout(IN_PROOFS ? 14_400_000 : 900_000);
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
    const program = ['dist/test/proofs/race/cachingNode.js'];
    const node = await ChildService.begin(program, database.ownerUrl, { ROLE: 'gateway' });
    await node.running.until('ready at');
    return node;
  }

  async function startNodes<Started extends Node>(start: () => Promise<Started>): Promise<Started[]> {
    const started: Started[] = [];
    while (started.length < PROCESSES) {
      const node = await start();
      started.push(node);
      nodes.push(node);
    }
    return started;
  }

  /** A race of one app at each of the processes. */
  async function race(
    at: readonly Node[],
    revokes: number,
    faults?: (over: AbortSignal) => Promise<void>,
    tell?: (counts: RaceCounts) => void,
  ): Promise<Race> {
    const token = await AppToken.register(at.map(({ url }) => url) as [string]);
    const gateways = at.map(({ url }) => new Gateway(url, token.current));
    const running = new Race(gateways, { ...OPTIONS, revokes });
    const over = new AbortController();
    const fresh = token.keepFresh(over.signal);
    const telling = setInterval(() => tell?.(running.counts), TELL_MS);
    await running.run(faults).finally(() => {
      clearInterval(telling);
      over.abort();
    });
    await fresh;
    return running;
  }

  async function findsCache(): Promise<RaceCounts> {
    // Its queues are worked by a sound process, whose commits make nobody forget.
    nodes.push(await ChildService.start(database.ownerUrl));
    const broken = await startNodes(startBroken);
    let { counts } = await race(broken, OPTIONS.lanes * 3);
    for (let tries = 1; tries < TRIES_OF_BROKEN && counts.stale === 0; tries += 1)
      ({ counts } = await race(broken, OPTIONS.lanes * 3));
    expect(counts.stale).to.be.greaterThan(0);
    for (const { running } of nodes.splice(0)) await running.end('SIGKILL');
    return counts;
  }

  let broken: RaceCounts | undefined;

  itInProofs('show what was revoked when processes cache profiles (control)', async () => {
    broken = await findsCache();
  });

  it('show nothing revoked over REST and GraphQL', async () => {
    const sound = await startNodes(() => SoundNode.start(database.ownerUrl));
    const faults = new Faults(sound, database.ownerUrl, PAUSE_MS);
    const { counts, liveOf } = await race(
      sound,
      REVOKES,
      (over) => faults.run(over),
      (so) => tell(so, faults),
    );
    tell(counts, faults);
    expect(counts.stale).to.equal(0);
    expect(counts.revokes).to.be.at.least(REVOKES);
    expect(counts.reads).to.be.greaterThan(counts.revokes * SHAPES.length * PROCESSES);
    expect(SHAPES.map((shape) => liveOf.has(shape))).not.to.include(false);
  });

  function tell(seen: RaceCounts, { counts }: Faults): void {
    if (broken === undefined) return;
    recordProof({
      proof: 'race/readAfterRevoke',
      injected:
        `revocations through one of ${PROCESSES} processes while all read; ${counts.kills} kill -9 of a process, ` +
        `${counts.stops} stops of one, all connections to the database cut ${counts.cuts} times`,
      times: seen.revokes,
      checked: 'no fact or claim shown to a read sent after the answer, in nine shapes over both doors',
      figure:
        `${seen.reads} reads answered (${seen.profiles} profiles, ${seen.afterRevoke} after a revocation), ` +
        `${seen.unanswered} not; ${seen.live} facts and claims shown rightly, ${seen.stale} stale`,
      broken: `each process keeps profiles for 1 s, cleared by its own commits: ${broken.stale} stale in ${broken.reads} reads`,
    });
  }
});
