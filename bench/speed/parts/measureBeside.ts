import { registerWebhookEndpoint } from '../../../src/commands/registerWebhookEndpoint.js';
import { Database } from '../../../src/database/Database.js';
import { SecretBox } from '../../../src/domain/SecretBox.js';
import { aheadOfAll } from '../aheadOfAll.js';
import { BenchHarness, SECRETS_KEY } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { countWaiting } from '../countWaiting.js';
import { percentile, runLoad } from '../LoadClient.js';
import { untilIdle } from '../ingestClaims.js';
import { acceptClaims } from '../measureBatches.js';
import { RECEIVER } from '../measureWebhooks.js';
import { median } from '../median.js';
import { printTable } from '../printTable.js';
import type { Section } from '../Section.js';
import { ServerProcess } from '../ServerProcess.js';
import type { LoopDelay } from '../ServerProcess.js';
import type { Settings } from '../settingsFrom.js';
import { requestBytes } from '../Target.js';

/** Profiles read a second, over so many connections: what one core answers while the other applies claims. */
const RATE = 500;
const CONNECTIONS = 8;
const WARM_UP_SECONDS = 1;

/** Claims that wait, as a multiple of `--items`: they last until the end of the measurement. */
const QUEUED = 3;

/** A round takes a minute, until all that was accepted is applied, learned from and delivered. */
const MAX_ROUNDS = 3;

/** What is worked in the background. */
const QUEUES = ['customer', 'learning', 'workflow', 'outbox', 'delivery'];

/** Outside production, receivers of webhooks may be on this machine. */
const RELAXED = { NODE_ENV: 'development' };

const KINDS: Record<string, (harness: BenchHarness) => Promise<ServerProcess>> = {
  'as `npm start` runs it': (harness) => harness.startWhole(RELAXED),
  'background work in the thread that serves': (harness) => harness.startInOneThread(RELAXED),
};

interface Reads extends LoopDelay {
  p50: number;
  p99: number;
}

interface Sample {
  idle: Reads;
  /** Beside a full queue. */
  beside: Reads;
  /** The same without reads. */
  alone: LoopDelay;
  /** Claims a second, beside the reads. */
  applied: number;
}

/**
 * What background work does to reads in the default process: a queue full of claims, what is learned from
 * them, and the webhooks that tell of it.
 */
export async function measureBeside(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const harness = await BenchHarness.open();
  const receiver = await ServerProcess.start('receiver', RECEIVER, {});
  try {
    const { customers, facts, rounds } = settings;
    const ids = await harness.seed({ customers, facts });
    await subscribe(harness, receiver.port);
    const rows = [];
    const samples = new Map(Object.keys(KINDS).map((name) => [name, [] as Sample[]]));
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1)
      for (const [name, start] of Object.entries(KINDS)) {
        const sample = await new BesideRound(harness, ids, settings).measure(() => start(harness));
        samples.get(name)?.push(sample);
        say(`${name}: p99 ${sample.idle.p99.toFixed(1)} ms, beside ${sample.beside.p99.toFixed(1)} ms`);
      }
    for (const [name, measured] of samples) rows.push(...rowsOf(name, measured));
    const text = `${explain(settings)}\n\n${printTable(HEADER, rows)}`;
    return [{ title: 'Reads beside background work', text }];
  } finally {
    await receiver.stop();
    await harness.close();
  }
}

/** One server, first with nothing to do in the background, then started with a full queue. */
class BesideRound {
  private readonly harness: BenchHarness;
  private readonly ids: readonly string[];
  private readonly settings: Settings;

  constructor(harness: BenchHarness, ids: readonly string[], settings: Settings) {
    this.harness = harness;
    this.ids = ids;
    this.settings = settings;
  }

  async measure(start: () => Promise<ServerProcess>): Promise<Sample> {
    const { harness, ids } = this;
    const { items, seconds } = this.settings;
    const first = await start();
    await untilIdle(harness, QUEUES);
    const idle = await this.read(first);
    await harness.stopServer(first);
    await acceptClaims(harness, { ids, items: QUEUED * items });
    const server = await start();
    const before = await countWaiting(harness.ownerUrl);
    const started = performance.now();
    const beside = await this.read(server);
    const after = await countWaiting(harness.ownerUrl);
    const applied = ((before - after) / (performance.now() - started)) * 1000;
    await server.loopDelay();
    await new Promise((wake) => setTimeout(wake, seconds * 1000));
    const alone = await server.loopDelay();
    if ((await countWaiting(harness.ownerUrl)) === 0)
      throw new Error('The queue was empty before the end: --items is too small.');
    await untilIdle(harness, QUEUES);
    await harness.stopServer(server);
    return { idle, beside, alone, applied };
  }

  private async read(server: ServerProcess): Promise<Reads> {
    const { ids, harness, settings } = this;
    const token = await harness.token();
    const next = (): Buffer => {
      const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
      return requestBytes({ path: `/v1/profiles/${id}` }, token, id);
    };
    const plan = { port: server.port, connections: CONNECTIONS, rate: RATE, next };
    return aheadOfAll(async () => {
      await runLoad({ ...plan, seconds: WARM_UP_SECONDS });
      await server.loopDelay();
      const load = await runLoad({ ...plan, seconds: settings.seconds });
      if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} reads failed.`);
      return { p50: percentile(load, 0.5), p99: percentile(load, 0.99), ...(await server.loopDelay()) };
    });
  }
}

/** A subscriber to every changed profile. */
async function subscribe(harness: BenchHarness, port: number): Promise<void> {
  const { appId } = harness;
  const database = new Database({ url: await harness.serviceUrl(), poolSize: 2 });
  const policy = { allowLoopback: true, allowHttp: true };
  const endpoint = { url: `http://127.0.0.1:${port}/`, enabledEvents: ['profile.updated' as const] };
  const tools = { secrets: new SecretBox(SECRETS_KEY), policy };
  await database.transaction(appId, (tx) =>
    registerWebhookEndpoint(tx, { appId, now: new Date() }, endpoint, tools),
  );
  await database.close();
}

const HEADER = ['', '', 'p50 ms', 'p99 ms', 'p99 beside idle', 'loop taken, p99.9 ms', 'longest ms'];

function rowsOf(name: string, samples: readonly Sample[]): (string | number)[][] {
  const middle = (pick: (sample: Sample) => number): string => median(samples.map(pick)).toFixed(1);
  const reads = (pick: (sample: Sample) => Reads): string[] => [
    middle((sample) => pick(sample).p50),
    middle((sample) => pick(sample).p99),
  ];
  const loop = (pick: (sample: Sample) => LoopDelay): string[] => [
    middle((sample) => pick(sample).p999),
    middle((sample) => pick(sample).max),
  ];
  const applied = Math.round(median(samples.map((sample) => sample.applied)));
  return [
    [name, 'reads, nothing to do', ...reads(({ idle }) => idle), '', ...loop(({ idle }) => idle)],
    [
      name,
      `reads, ${applied} claims/s applied`,
      ...reads(({ beside }) => beside),
      middle(({ idle, beside }) => beside.p99 / idle.p99),
      ...loop(({ beside }) => beside),
    ],
    [name, 'no reads, a full queue', '', '', '', ...loop(({ alone }) => alone)],
  ];
}

function explain({ items, rounds, seconds }: Settings): string {
  return `${RATE} profile reads a second over ${CONNECTIONS} connections, first with nothing to do in the background, then with ${QUEUED * items} claims that wait, what is learned from
them and a webhook for each changed profile; then the queue without reads. Medians of ${Math.min(rounds, MAX_ROUNDS)} rounds of ${seconds} s. The loop's figures are how late a timer of a
millisecond was: the loop was taken, or load, PostgreSQL and background work had both cores. The load has a core whenever it wants one (\`SCHED_FIFO\`), if it may.
Aims: a p99 beside a full queue of at most 2 × that of an idle one; background work takes the loop for at most 5 ms at a time. ${circumstances()}`;
}
