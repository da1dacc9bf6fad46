import type { Answer, Json, TestPartner } from '../../support/TestPartner.js';
import { claimBody, expectStatus, grant, makeCustomer } from '../../support/records.js';

const PURPOSES = ['personalization', 'analytics', 'support'] as const;

type Purpose = (typeof PURPOSES)[number];

/** What a read showed: of whom, and under which purpose. */
type Shown = [customerId: string, purpose: string][];

/** One way to read of a customer what consent guards. */
type Shape = (
  by: TestPartner,
  customerId: string,
  purpose: Purpose,
  crowd: readonly string[],
) => Promise<Shown>;

export interface RaceCounts {
  revokes: number;
  reads: number;
  /** Facts and claims that were shown rightly. */
  live: number;
  /**
   * Facts and claims shown by a read that was sent after the revocation of their purpose had been answered.
   */
  stale: number;
}

interface Fact {
  consent_purpose?: string;
  consentPurpose?: string;
}

const shownOf = (customerId: string, facts: readonly Fact[] = []): Shown =>
  facts.map((fact) => [customerId, (fact.consentPurpose ?? fact.consent_purpose ?? '').toLowerCase()]);

const PROFILE = `query Profile($id: ID!, $purpose: ConsentPurpose) {
  resolvedProfile(customerId: $id, consentPurpose: $purpose) {
    facts { attribute consentPurpose resolvedValue } } }`;
const NESTED = `query Nested($id: ID!) {
  customer(id: $id) { claims(first: 20) { nodes { consentPurpose value } }
  resolvedProfile { facts { consentPurpose resolvedValue evidence { consentPurpose } } } } }`;
const CROWD = `query Crowd($ids: [ID!]!) {
  profiles(customerIds: $ids) { customerId facts { consentPurpose resolvedValue } } }`;

/** Customers that are revoked and read at once: one app has 64 requests in work in a process. */
const AT_ONCE = 12;

let serial = 0;

/** Both doors; documents that are known and documents that were never seen; one customer and many. */
const SHAPES: readonly Shape[] = [
  async (by, id) => shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}`)).facts),
  async (by, id, purpose) =>
    shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}?consent_purpose=${purpose}`)).facts),
  async (by, id) => shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}/claims?limit=50`)).data),
  async (by, id, purpose) =>
    shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}/claims?consent_purpose=${purpose}`)).data),
  async (by, id) => shownOf(id, (await by.graphql(PROFILE, { id })).data.resolvedProfile?.facts),
  async (by, id, purpose) =>
    shownOf(
      id,
      (await by.graphql(PROFILE, { id, purpose: purpose.toUpperCase() })).data.resolvedProfile?.facts,
    ),
  async (by, id) =>
    shownOf(id, (await by.graphql(`${PROFILE} # ${(serial += 1)}`, { id })).data.resolvedProfile?.facts),
  async (by, id) => {
    const { customer } = (await by.graphql(NESTED, { id })).data;
    return [...shownOf(id, customer.claims.nodes), ...shownOf(id, customer.resolvedProfile?.facts)];
  },
  async (by, _id, _purpose, crowd) =>
    ((await by.graphql(CROWD, { ids: crowd })).data.profiles as Json[]).flatMap((profile) =>
      shownOf(profile?.customerId, profile?.facts),
    ),
];

/** A refusal of the gate shows nothing; any other is a failure of the proof. */
function dataOf(answer: Answer): Json {
  return answer.status === 403 && answer.body.error.code === 'consent_denied'
    ? {}
    : expectStatus(answer, 200);
}

/**
 * Revokes under reads through every process, and holds each answer against what was closed before its request
 * was sent.
 */
export class Race {
  readonly counts: RaceCounts = { revokes: 0, reads: 0, live: 0, stale: 0 };
  private readonly processes: readonly TestPartner[];
  private readonly closed = new Set<string>();
  private readonly receipts = new Map<string, string>();

  /** @param processes the same app at each process */
  constructor(processes: readonly TestPartner[]) {
    this.processes = processes;
  }

  /** Makes customers with a fact and a claim of every purpose. */
  async prepare(customers: number): Promise<void> {
    const [app] = this.processes as [TestPartner];
    for (let made = 0; made < customers; made += 1) {
      const id = await makeCustomer(app);
      this.receipts.set(id, await grant(app, id, ...PURPOSES));
      const claims = PURPOSES.map((purpose) => claimBody(id, { consent_purpose: purpose }));
      expectStatus(await app.rest('POST', '/v1/claims/batch', { claims }), 202);
    }
    for (const id of this.receipts.keys())
      while (((await SHAPES[0]?.(app, id, 'support', [])) ?? []).length < PURPOSES.length)
        await new Promise((wake) => setTimeout(wake, 20));
  }

  /**
   * Closes every purpose of every customer, one after the other, while readers keep whatever could be kept
   * warm.
   */
  async run(): Promise<void> {
    const ending = new AbortController();
    const readers = this.processes.flatMap((process) =>
      [0, 1].map(() => this.readOn(process, ending.signal)),
    );
    const left = [...this.receipts].entries();
    const close = async (): Promise<void> => {
      for (const [place, [id, receipt]] of left) await this.closeAll(id, receipt, place);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, close));
    ending.abort();
    await Promise.all(readers);
  }

  private async closeAll(id: string, receipt: string, place: number): Promise<void> {
    const crowd = this.crowdAround(place);
    for (const [turn, purpose] of PURPOSES.entries()) {
      const revoker = this.processes[(place + turn) % this.processes.length] as TestPartner;
      // Everybody has just read it, and some are reading it while it is revoked.
      await Promise.all(this.processes.map((process) => this.readAll(process, id, purpose, crowd)));
      const underWay = this.processes.map((process) => this.readAll(process, id, purpose, crowd));
      const body = { purposes: [purpose] };
      expectStatus(await revoker.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, body), 202);
      this.closed.add(`${id} ${purpose}`);
      this.counts.revokes += 1;
      const after = this.processes.map((process) => this.readAll(process, id, purpose, crowd));
      await Promise.all([...underWay, ...after]);
    }
  }

  private async readOn(by: TestPartner, signal: AbortSignal): Promise<void> {
    const ids = [...this.receipts.keys()];
    for (let turn = 0; !signal.aborted; turn += 1) {
      const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
      const purpose = PURPOSES[turn % PURPOSES.length] as Purpose;
      await this.read(
        SHAPES[turn % SHAPES.length] as Shape,
        by,
        id,
        purpose,
        this.crowdAround(ids.indexOf(id)),
      );
    }
  }

  private async readAll(
    by: TestPartner,
    id: string,
    purpose: Purpose,
    crowd: readonly string[],
  ): Promise<void> {
    await Promise.all(SHAPES.map((shape) => this.read(shape, by, id, purpose, crowd)));
  }

  private async read(...[shape, by, id, purpose, crowd]: [Shape, ...Parameters<Shape>]): Promise<void> {
    const closedBefore = new Set(this.closed);
    const shown = await shape(by, id, purpose, crowd);
    this.counts.reads += 1;
    for (const [customerId, shownPurpose] of shown) {
      if (closedBefore.has(`${customerId} ${shownPurpose}`)) this.counts.stale += 1;
      else this.counts.live += 1;
    }
  }

  /** Always the same neighbours, so that a request for many is repeated as it was. */
  private crowdAround(place: number): string[] {
    const ids = [...this.receipts.keys()];
    const start = Math.floor(place / 10) * 10;
    return ids.slice(start, start + 10);
  }
}
