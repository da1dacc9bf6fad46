import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplicationHarness } from '../../support/ReplicationHarness.js';
import type { Standby } from '../../support/Standby.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { between, FAULT_KINDS, inflict } from './standbyFaults.js';
import type { FaultKind } from './standbyFaults.js';
import type { Extents } from './extents.js';
import { Readers } from './Readers.js';
import type { ReadCounts } from './Readers.js';
import { pick } from './Subjects.js';
import type { Subjects } from './Subjects.js';

export interface ProofResult extends ReadCounts {
  seconds: number;
  revokes: number;
  /** Profiles read through the broken gateway, and how many of them were stale. */
  control: number;
  controlStale: number;
  faults: Record<FaultKind, number>;
}

const SINGLE_READERS = 6;
const BATCH_READERS = 2;
/** Leaves the machine to the single reads, which cost more each. */
const BATCH_PAUSE_MS = 60;
const WRITERS = 8;
const CUSTOMERS = 200;

/** Grants, revokes and reads through every gateway at once, under faults of every standby. */
export class ReplicaProof {
  private readonly subjects: Subjects;
  private readonly harness: ReplicationHarness;
  private readonly extents: Extents;
  private readonly readers: Readers;
  private readonly control: Readers;
  private readonly faults = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<
    FaultKind,
    number
  >;
  /** Of each kind, those under way included. */
  private readonly begun = { ...this.faults };
  private startedAt = 0;
  private hasFailed = false;

  /**
   * @param gateways the same app behind each gateway
   * @param broken the same app behind a gateway that takes the gate from a standby too
   */
  constructor(
    harness: ReplicationHarness,
    subjects: Subjects,
    gateways: readonly TestPartner[],
    broken: TestPartner,
    extents: Extents,
  ) {
    this.harness = harness;
    this.extents = extents;
    this.control = new Readers([broken], subjects);
    this.subjects = subjects;
    this.readers = new Readers(gateways, subjects);
  }

  /** Goes on until all extents are reached. */
  async run(): Promise<ProofResult> {
    await this.subjects.prepare(CUSTOMERS);
    await this.harness.caughtUp();
    this.startedAt = performance.now();
    const loops = [
      ...times(SINGLE_READERS, () => this.repeat(() => this.readers.readOne())),
      ...times(BATCH_READERS, () =>
        this.repeat(() => this.readers.readMany().then(() => sleep(BATCH_PAUSE_MS))),
      ),
      ...times(WRITERS, (writer) => this.repeat(() => this.cycle(pick(this.ownOf(writer))))),
      this.repeat(() => this.readControl()),
      ...this.harness.standbys.map((standby) => this.repeat(() => this.fault(standby))),
    ];
    const ended = await Promise.allSettled(loops);
    for (const loop of ended) if (loop.status === 'rejected') throw loop.reason;
    return this.result();
  }

  result(): ProofResult {
    const seconds = Math.round((performance.now() - this.startedAt) / 1000);
    const { single, batched, stale } = this.control.counts;
    const control = { control: single + batched, controlStale: stale };
    return {
      seconds,
      revokes: this.subjects.revokes,
      faults: this.faults,
      ...this.readers.counts,
      ...control,
    };
  }

  private async cycle(id: string): Promise<void> {
    await this.subjects.cycle(id, async () => {
      await this.readers.readOne(id);
      await this.control.readOne(id).catch(() => undefined);
    });
  }

  /** A standby may not know a customer yet: the broken gateway then says that there is none. */
  private async readControl(): Promise<void> {
    await this.control.readMany().catch(() => undefined);
    await sleep(BATCH_PAUSE_MS);
  }

  /** Each customer is one writer's, so that its decisions follow each other. */
  private ownOf(writer: number): string[] {
    return this.subjects.ids.filter((_id, index) => index % WRITERS === writer);
  }

  private async repeat(work: () => Promise<void>): Promise<void> {
    try {
      while (!this.hasFailed && !this.isComplete()) await work();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  private isComplete(): boolean {
    const { reads, revokes, faultsOfEachKind } = this.extents;
    const { single, batched } = this.readers.counts;
    const faults = Math.min(...Object.values(this.faults));
    return single + batched >= reads && this.subjects.revokes >= revokes && faults >= faultsOfEachKind;
  }

  private async fault(standby: Standby): Promise<void> {
    const kind = this.rarestKind();
    this.begun[kind] += 1;
    await inflict(kind, standby);
    this.faults[kind] += 1;
    await sleep(between(500, 3000));
  }

  private rarestKind(): FaultKind {
    const least = Math.min(...Object.values(this.begun));
    return pick(FAULT_KINDS.filter((kind) => this.begun[kind] === least));
  }
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
