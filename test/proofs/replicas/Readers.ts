import type { TestPartner } from '../../support/TestPartner.js';
import type { Subjects } from './Subjects.js';
import { pick } from './Subjects.js';

/** Counted in profiles. */
export interface ReadCounts {
  /** Read one by one. */
  single: number;
  /** Of these, refused by the consent gate. */
  denied: number;
  /** Read in requests for many. */
  batched: number;
  batches: number;
  /** Answers of either kind that showed a fact of an epoch not known to be closed. */
  live: number;
  /** Answers of either kind that showed what a revocation answered before the read began had closed. */
  stale: number;
}

const MAX_IN_BATCH = 100;

const PROFILES = `query Profiles($ids: [ID!]!) {
  profiles(customerIds: $ids) { customerId facts { resolvedValue } } }`;

/** Reads profiles in every way and holds each answer against what was revoked before its request was sent. */
export class Readers {
  readonly counts: ReadCounts = {
    single: 0,
    denied: 0,
    batched: 0,
    batches: 0,
    live: 0,
    stale: 0,
  };
  private readonly gateways: readonly TestPartner[];
  private readonly subjects: Subjects;

  constructor(gateways: readonly TestPartner[], subjects: Subjects) {
    this.gateways = gateways;
    this.subjects = subjects;
  }

  /** One profile by REST: of all purposes, or of the one that comes and goes. */
  async readOne(id = this.subjects.choose()): Promise<void> {
    const closed = this.subjects.closedEpoch(id);
    const isGated = Math.random() < 0.5;
    const query = isGated ? '?consent_purpose=personalization' : '';
    const { status, body } = await pick(this.gateways).rest('GET', `/v1/profiles/${id}${query}`);
    const isDenied = isGated && status === 403;
    if (status !== 200 && !isDenied) throw new Error(`A read ended with ${status}`);
    this.counts.single += 1;
    if (isDenied) this.counts.denied += 1;
    else this.judge((body.facts as { resolved_value: number }[])[0]?.resolved_value, closed);
  }

  /** Neighbours by GraphQL, as many as one request may ask for. */
  async readMany(): Promise<void> {
    const ids = neighbours(this.subjects.ids);
    const closed = ids.map((id) => this.subjects.closedEpoch(id));
    const { status, data, errors } = await pick(this.gateways).graphql(PROFILES, { ids });
    if (status !== 200 || errors.length > 0)
      throw new Error(`A batch ended with ${status}, ${errors.length} errors`);
    const profiles = data.profiles as { customerId: string; facts: { resolvedValue: number }[] }[];
    if (profiles.some(({ customerId }, index) => customerId !== ids[index]))
      throw new Error('Profiles of others');
    profiles.forEach(({ facts }, index) => this.judge(facts[0]?.resolvedValue, closed[index] ?? 0));
    this.counts.batched += ids.length;
    this.counts.batches += 1;
  }

  private judge(shown: number | undefined, closed: number): void {
    if (shown === undefined) return;
    if (shown <= closed) this.counts.stale += 1;
    else this.counts.live += 1;
  }
}

function neighbours(ids: readonly string[]): string[] {
  const start = Math.floor(Math.random() * ids.length);
  return [...ids.slice(start), ...ids.slice(0, start)].slice(0, MAX_IN_BATCH);
}
