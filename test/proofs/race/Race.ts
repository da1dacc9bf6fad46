import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../support/TestPartner.js';
import { freshKey } from '../../support/TestPartner.js';
import { claimBody } from '../../support/records.js';
import type { Gateway } from './Gateway.js';
import { Lane } from './Lane.js';
import type { Shape, Target } from './shapes.js';
import { judge, PURPOSES, SHAPES } from './shapes.js';

export interface RaceCounts {
  revokes: number;
  /** Requests that read and were answered, each held against the revocations answered before it was sent. */
  reads: number;
  /** Customers that these asked for: a request for many is one read, and each of its customers is judged. */
  profiles: number;
  /** Of the profiles, those of customers with a purpose that was closed when the request was sent. */
  afterRevoke: number;
  /** Reads that a fault left without an answer or without a part of it, or that were told to come back. */
  unanswered: number;
  /** Facts and claims that were shown rightly. */
  live: number;
  /** Facts and claims shown by a read that was sent after the revocation of their purpose was answered. */
  stale: number;
}

export interface RaceOptions {
  /** Customers that are read and revoked at the same time. */
  lanes: number;
  /** Connections that read from each process without a pause. */
  readersPerProcess: number;
  /** Ends once so many were answered. */
  revokes: number;
  /** Of a customer that end between two of its revocations. */
  readsPerRevoke: number;
}

/** Customers asked for at once. */
const CROWD = 8;
/** One read of so many is of a customer whose every purpose was closed a while ago. */
const RETIRED_TURN = 16;
const PAUSE_MS = 50;
const RETIRED_KEPT = 500;

type Read = [shape: Shape, target: Target];

/**
 * Revokes of many customers under reads of all of them through every process, never paused: while one process
 * is down, the others are read on. Each answer is held against what was closed before its request was sent.
 */
export class Race {
  readonly counts: RaceCounts = {
    revokes: 0,
    reads: 0,
    profiles: 0,
    afterRevoke: 0,
    unanswered: 0,
    live: 0,
    stale: 0,
  };
  /** How much each shape of reading showed rightly. */
  readonly liveOf = new Map<Shape, number>();
  private readonly gateways: readonly Gateway[];
  private readonly options: RaceOptions;
  private readonly lanes: readonly Lane[];
  /** The place of each answered revocation in the series of all, by customer and purpose. */
  private readonly closed = new Map<string, Map<string, number>>();
  /** Reads that come before any other, of each process. */
  private readonly urgent: ReadonlyMap<Gateway, Read[]>;
  private readonly retired: string[] = [];
  private readonly ending = new AbortController();
  private failed = false;

  /** @param gateways the same app at each process */
  constructor(gateways: readonly Gateway[], options: RaceOptions) {
    this.gateways = gateways;
    this.options = options;
    this.lanes = Array.from({ length: options.lanes }, () => new Lane());
    this.urgent = new Map(gateways.map((gateway) => [gateway, []]));
  }

  /** Until enough was revoked and `faults` have ended too. */
  async run(faults: (over: AbortSignal) => Promise<void> = async () => undefined): Promise<void> {
    const over = new AbortController();
    const readers = this.gateways.flatMap((gateway) =>
      Array.from({ length: this.options.readersPerProcess }, (_, turn) => this.readOn(gateway, turn)),
    );
    const closing = Promise.all(this.lanes.map((lane) => this.closeOn(lane))).finally(() => over.abort());
    const changing = Promise.all([closing, faults(over.signal)]).finally(() => this.ending.abort());
    await Promise.all([changing, ...readers]).catch((error: unknown) => {
      this.failed = true;
      this.ending.abort();
      throw error;
    });
  }

  private async closeOn(lane: Lane): Promise<void> {
    while (this.counts.revokes < this.options.revokes) {
      const { id, receipt } = await this.makeCustomer();
      lane.id = id;
      for (const purpose of PURPOSES) {
        await lane.reads(this.options.readsPerRevoke);
        await this.write(`/v1/consent-receipts/${receipt}/revoke`, { purposes: [purpose] }, 202);
        this.counts.revokes += 1;
        this.closedOf(id).set(purpose, this.counts.revokes);
        const target = { id, purpose, crowd: this.crowdOf(lane) };
        for (const reads of this.urgent.values()) reads.push(...SHAPES.map((shape): Read => [shape, target]));
      }
      await lane.reads(this.options.readsPerRevoke);
      this.retired.push(id);
      if (this.retired.length > RETIRED_KEPT) this.retired.shift();
    }
  }

  /** A customer with a fact and a claim of every purpose. */
  private async makeCustomer(): Promise<{ id: string; receipt: string }> {
    const { customer } = await this.write('/v1/customers', { external_id: freshKey() }, 201);
    const id = customer.id as string;
    const consent = { customer_id: id, purposes: PURPOSES, terms_version: '1', privacy_policy_version: '1' };
    const receipt = (await this.write('/v1/consent-receipts', consent, 201)).id as string;
    const claims = PURPOSES.map((purpose) => claimBody(id, { consent_purpose: purpose }));
    await this.write('/v1/claims/batch', { claims }, 202);
    while ((await this.factsOf(id)) < PURPOSES.length) await this.pause();
    return { id, receipt };
  }

  private async factsOf(id: string): Promise<number> {
    const gateway = this.gateways[Math.floor(Math.random() * this.gateways.length)] as Gateway;
    const answer = await gateway.ask({ method: 'GET', path: `/v1/profiles/${id}` });
    return answer === undefined ? 0 : (judge(answer).data.facts?.length ?? 0);
  }

  /** Sent again under its key, to the next process, until it was answered. */
  private async write(path: string, body: object, expected: number): Promise<Json> {
    const key = freshKey();
    for (let turn = Math.floor(Math.random() * this.gateways.length); ; turn += 1) {
      const gateway = this.gateways[turn % this.gateways.length] as Gateway;
      const answer = await gateway.ask({ method: 'POST', path, body, key });
      if (answer?.status === expected) return answer.body;
      if (answer !== undefined && ![409, 429, 503].includes(answer.status))
        throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      await this.pause();
    }
  }

  /** Does not go on to others before what is urgent has been answered, by a process that was replaced too. */
  private async readOn(gateway: Gateway, first: number): Promise<void> {
    const urgent = this.urgent.get(gateway) ?? [];
    for (let turn = first; this.goesOn(urgent); turn += 1) {
      const due = urgent.shift();
      const next = due ?? this.readOf(turn);
      const answered = next !== undefined && (await this.read(gateway, next));
      if (!answered && due !== undefined) urgent.push(due);
      if (!answered) await sleep(PAUSE_MS);
    }
  }

  private goesOn(urgent: readonly Read[]): boolean {
    return !this.ending.signal.aborted || (urgent.length > 0 && !this.failed);
  }

  /** Each shape in turn, of lanes by chance; now and then of a customer closed before. */
  private readOf(turn: number): Read | undefined {
    const shape = SHAPES[turn % SHAPES.length] as Shape;
    const purpose = PURPOSES[Math.floor(Math.random() * PURPOSES.length)] ?? 'support';
    const lane = this.lanes[Math.floor(Math.random() * this.lanes.length)] as Lane;
    const crowd = this.crowdOf(lane);
    const old = this.retired[Math.floor(Math.random() * this.retired.length)];
    const id = turn % RETIRED_TURN === 0 && old !== undefined ? old : lane.id;
    return id === '' ? undefined : [shape, { id, purpose, crowd }];
  }

  /** Always the same neighbours, so that a request for many is repeated as it was. */
  private crowdOf(lane: Lane): string[] {
    const start = Math.floor(this.lanes.indexOf(lane) / CROWD) * CROWD;
    return this.lanes.slice(start, start + CROWD).flatMap(({ id }) => (id === '' ? [] : [id]));
  }

  /** @returns whether it was answered as a whole */
  private async read(gateway: Gateway, [shape, target]: Read): Promise<boolean> {
    const answered = this.counts.revokes;
    const answer = await gateway.ask(shape.ask(target));
    const { data, whole } = answer === undefined ? { data: {}, whole: false } : judge(answer);
    for (const [id, purpose] of shape.shown(data, target.id)) this.hold(shape, id, purpose, answered);
    if (!whole) {
      this.counts.unanswered += 1;
      return false;
    }
    const asked = shape.isCrowd ? target.crowd : [target.id];
    this.counts.reads += 1;
    this.counts.profiles += asked.length;
    this.counts.afterRevoke += asked.filter((id) => this.wasClosed(id, answered)).length;
    this.lanes.find(({ id }) => id === target.id)?.readOnce();
    return true;
  }

  private async pause(): Promise<void> {
    this.ending.signal.throwIfAborted();
    await sleep(PAUSE_MS);
  }

  private hold(shape: Shape, id: string, purpose: string, answered: number): void {
    if ((this.closed.get(id)?.get(purpose) ?? Infinity) <= answered) this.counts.stale += 1;
    else {
      this.counts.live += 1;
      this.liveOf.set(shape, (this.liveOf.get(shape) ?? 0) + 1);
    }
  }

  private wasClosed(id: string, answered: number): boolean {
    const [first = Infinity] = this.closed.get(id)?.values() ?? [];
    return first <= answered;
  }

  private closedOf(id: string): Map<string, number> {
    const known = this.closed.get(id) ?? new Map<string, number>();
    this.closed.set(id, known);
    return known;
  }
}
