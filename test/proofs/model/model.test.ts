import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { verifyLedger } from '../../../src/commands/verifyLedger.js';
import { Random } from '../../../src/demo/believable.js';
import { putBooks } from '../../support/ingestRecords.js';
import { IN_PROOFS, itInProofs } from '../../support/itInProofs.js';
import { recordProof } from '../../support/recordProof.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { TestService } from '../../support/TestService.js';
import { send } from './doors.js';
import { FAULTS } from './faults.js';
import { shortest } from './shortest.js';
import { APPS, sequenceOf } from './steps.js';
import type { Step } from './steps.js';
import type { Real } from './World.js';
import { World } from './World.js';

/** `MODEL='{"seed":1,"sequences":1}'` runs other sequences, such as that of a failure. */
const { seed, sequences, steps } = {
  seed: Date.now() % 1_000_000_000,
  sequences: 100,
  steps: 60,
  ...(JSON.parse(process.env['MODEL'] ?? '{}') as Record<string, number>),
};
/** Sequences that run at the same time, each with apps of its own. */
const LANES = 4;
/** Within so many sequences each fault must be found. */
const PATIENCE = 40;

/**
 * Proof: every answer to random sequences of requests of two apps, some at the same time, over both doors and
 * two nodes, is one that a small model of docs/contract.md explains (`Model.ts`). The model knows customers,
 * consent, keys, claims and events, and what is read of them. Connection sessions have `consentRaces`.
 */
describe('The whole service beside a model of it', () => {
  let service: TestService;
  let second: string;
  let figure = '';

  before(async () => {
    if (!IN_PROOFS) return;
    service = await TestService.start();
    second = await service.addNode({ BASE_URL: service.url });
    await putBooks(service);
  });
  after(() => service?.stop());

  itInProofs('gives no answer that the model does not explain', async () => {
    let answers = 0;
    const seeds = Array.from({ length: sequences }, (_, at) => seed + at);
    const lane = async (): Promise<void> => {
      for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
        const failure = await run(sequence(next));
        answers += failure.answers;
        if (failure.message !== undefined) throw new Error(await tell(next, failure));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    figure = `${answers.toLocaleString('en')} answers, 0 unexplained (from seed ${seed})`;
  });

  itInProofs('has every fault found (control)', async () => {
    const found: string[] = [];
    for (const fault of Object.keys(FAULTS)) {
      const at = await findingOf(fault);
      const left = await shortest(sequence(seed + at), (fewer) => fails(fewer, fault));
      found.push(`${fault}: found in sequence ${at + 1}, by ${left.length} steps`);
    }
    recordProof({
      proof: 'model/model',
      injected: 'random requests of two apps, also at the same time, by both doors and at two nodes',
      times: sequences,
      checked: 'a model of docs/contract.md explains every answer, and the ledger is whole',
      figure,
      broken: found.join('; '),
    });
  });

  const sequence = (from: number): Step[] => sequenceOf(new Random(from), steps);

  async function findingOf(fault: string): Promise<number> {
    for (let at = 0; at < PATIENCE; at += 1) if (await fails(sequence(seed + at), fault)) return at;
    throw new Error(`${fault}: not found in ${PATIENCE} sequences from seed ${seed}`);
  }

  async function fails(of: Step[], fault?: string): Promise<boolean> {
    return (await run(of, fault)).message !== undefined;
  }

  interface Run {
    answers: number;
    trace: string[];
    /** Why it failed. */
    message?: string;
  }

  /** Runs steps with new apps. */
  async function run(of: Step[], fault = ''): Promise<Run> {
    const apps = await Promise.all(
      APPS.map((granted) => service.makeAppWith({ allowed_consent_purposes: granted })),
    );
    const nodes = apps.map((app) => [app, app.at(second)]);
    const ids = apps.map(({ appId }) => appId);
    const sound: Real = {
      send: ({ app, node, door, ...call }) => send(nodes[app]?.[node] as TestPartner, door, call),
      idle: () => idle(ids),
    };
    const world = new World({ ...sound, ...FAULTS[fault]?.(sound, (...sent) => service.sql(...sent)) }, ids);
    try {
      await world.run(of);
      for (const appId of ids)
        expect(await verifyLedger(service.services.database, appId)).to.include({ problem: undefined });
      return world;
    } catch (error) {
      return { answers: world.answers, trace: world.trace, message: String(error) };
    }
  }

  async function tell(from: number, first: Run): Promise<string> {
    const left = await shortest(sequence(from), fails);
    const last = await run(left);
    const isSteady = last.message !== undefined;
    const { message, trace } = isSteady ? last : first;
    const what = isSteady ? `The shortest found, ${left.length} steps` : 'The whole, as parts of it pass';
    const again = `To run it again: MODEL='${JSON.stringify({ seed: from, sequences: 1, steps })}'`;
    return [message, again, `${what}:`, ...trace].join('\n');
  }

  async function idle(apps: string[]): Promise<void> {
    for (;;) {
      const [{ n }] = await service.sql(
        `SELECT (SELECT count(*) FROM inbox WHERE app_id = ANY ($1)) + (SELECT count(*) FROM workflows
           WHERE app_id = ANY ($1) AND status NOT IN ('completed', 'failed')) AS n`,
        [apps],
      );
      if (Number(n) === 0) return;
      await sleep(10);
    }
  }
});
