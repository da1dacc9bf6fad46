import type { Answer, GraphqlAnswer, Json, TestPartner } from '../../support/TestPartner.js';
import { freshKey } from '../../support/TestPartner.js';
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
  /** Reads that a fault left without an answer, or that were told to come back. */
  unanswered: number;
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
const AT_ONCE = 4;

let serial = 0;

/** Both doors; documents that are known and documents that were never seen; one customer and many. */
const SHAPES: readonly Shape[] = [
  async (by, id) => shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}`)).facts),
  async (by, id, purpose) =>
    shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}?consent_purpose=${purpose}`)).facts),
  async (by, id) => shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}/claims?limit=50`)).data),
  async (by, id, purpose) =>
    shownOf(id, dataOf(await by.rest('GET', `/v1/profiles/${id}/claims?consent_purpose=${purpose}`)).data),
  async (by, id) => shownOf(id, graphqlDataOf(await by.graphql(PROFILE, { id })).resolvedProfile?.facts),
  async (by, id, purpose) => {
    const answer = await by.graphql(PROFILE, { id, purpose: purpose.toUpperCase() });
    return shownOf(id, graphqlDataOf(answer).resolvedProfile?.facts);
  },
  async (by, id) => {
    const answer = await by.graphql(`${PROFILE} # ${(serial += 1)}`, { id });
    return shownOf(id, graphqlDataOf(answer).resolvedProfile?.facts);
  },
  async (by, id) => {
    const { customer } = graphqlDataOf(await by.graphql(NESTED, { id }));
    return [...shownOf(id, customer.claims.nodes), ...shownOf(id, customer.resolvedProfile?.facts)];
  },
  async (by, _id, _purpose, crowd) =>
    (graphqlDataOf(await by.graphql(CROWD, { ids: crowd })).profiles as Json[]).flatMap((profile) =>
      shownOf(profile?.customerId, profile?.facts),
    ),
];

/** Nothing was shown: the caller is told to come back. */
class Unanswered extends Error {}

const COME_BACK = [429, 503];

/** A refusal of the gate shows nothing; any other is a failure of the proof. */
function dataOf(answer: Answer): Json {
  if (COME_BACK.includes(answer.status)) throw new Unanswered();
  return answer.status === 403 && answer.body.error.code === 'consent_denied'
    ? {}
    : expectStatus(answer, 200);
}

function graphqlDataOf({ data, errors, status, text }: GraphqlAnswer): Json {
  if (COME_BACK.includes(status) || errors.some(({ extensions }) => COME_BACK.includes(extensions['status'])))
    throw new Unanswered();
  const others = errors.filter(({ extensions }) => extensions['code'] !== 'CONSENT_DENIED');
  if (status !== 200 || others.length > 0) throw new Error(`Not an answer of the gate: ${status} ${text}`);
  return data;
}

/** A request that found no process, or whose process was killed before it had answered. */
function cutOff(error: unknown): undefined {
  if (error instanceof TypeError && /fetch failed|terminated/.test(error.message)) return undefined;
  throw error;
}

async function inTurns(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * Revokes under reads through every process, and holds each answer against what was closed before its request
 * was sent.
 */
export class Race {
  readonly counts: RaceCounts = { revokes: 0, reads: 0, unanswered: 0, live: 0, stale: 0 };
  private readonly processes: readonly TestPartner[];
  /** The place of each answered revocation in the series of all. */
  private readonly closed = new Map<string, number>();
  private readonly receipts = new Map<string, string>();

  /** @param processes the same app at each process */
  constructor(processes: readonly TestPartner[]) {
    this.processes = processes;
  }

  /** Makes customers with a fact and a claim of every purpose. */
  async prepare(customers: number): Promise<void> {
    const left = Array.from({ length: customers }).keys();
    await inTurns(async () => {
      for (const _ of left) await this.makeOne();
    });
  }

  private async makeOne(): Promise<void> {
    const [app] = this.processes as [TestPartner];
    const id = await makeCustomer(app);
    const receipt = await grant(app, id, ...PURPOSES);
    const claims = PURPOSES.map((purpose) => claimBody(id, { consent_purpose: purpose }));
    expectStatus(await app.rest('POST', '/v1/claims/batch', { claims }), 202);
    while (((await SHAPES[0]?.(app, id, 'support', [])) ?? []).length < PURPOSES.length)
      await new Promise((wake) => setTimeout(wake, 20));
    this.receipts.set(id, receipt);
  }

  /**
   * Closes every purpose of every customer, one after the other, while readers keep whatever could be kept
   * warm. Both go on until `faults` end too.
   */
  async run(faults: (over: AbortSignal) => Promise<void> = async () => undefined): Promise<void> {
    const ending = new AbortController();
    const readers = this.processes.flatMap((process) =>
      [0, 1].map(() => this.readOn(process, ending.signal)),
    );
    const left = [...this.receipts].entries();
    const close = async (): Promise<void> => {
      for (const [place, [id, receipt]] of left) await this.closeAll(id, receipt, place);
    };
    const over = new AbortController();
    const faulty = faults(over.signal);
    await inTurns(close);
    over.abort();
    await faulty;
    ending.abort();
    await Promise.all(readers);
  }

  private async closeAll(id: string, receipt: string, place: number): Promise<void> {
    const crowd = this.crowdAround(place);
    for (const [turn, purpose] of PURPOSES.entries()) {
      // Everybody has just read it, and some are reading it while it is revoked.
      await Promise.all(this.processes.map((process) => this.readAll(process, id, purpose, crowd)));
      const underWay = this.processes.map((process) => this.readAll(process, id, purpose, crowd));
      await this.revoke(receipt, purpose, place + turn);
      this.counts.revokes += 1;
      this.closed.set(`${id} ${purpose}`, this.counts.revokes);
      const after = this.processes.map((process) => this.readAll(process, id, purpose, crowd));
      await Promise.all([...underWay, ...after]);
    }
  }

  /** Sent again under its key, to the next process, until it was answered. */
  private async revoke(receipt: string, purpose: Purpose, place: number): Promise<void> {
    const headers = { 'idempotency-key': freshKey() };
    for (let turn = place; ; turn += 1) {
      const revoker = this.processes[turn % this.processes.length] as TestPartner;
      const path = `/v1/consent-receipts/${receipt}/revoke`;
      const answer = await revoker.rest('POST', path, { purposes: [purpose] }, headers).catch(cutOff);
      if (answer !== undefined && !COME_BACK.includes(answer.status)) return expectStatus(answer, 202);
      await new Promise((wake) => setTimeout(wake, 20));
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
    const answered = this.counts.revokes;
    const shown = await shape(by, id, purpose, crowd).catch((error: unknown) => {
      if (error instanceof Unanswered) return undefined;
      return cutOff(error);
    });
    if (shown === undefined) return this.waitAfterNone();
    this.counts.reads += 1;
    for (const [customerId, shownPurpose] of shown) {
      if ((this.closed.get(`${customerId} ${shownPurpose}`) ?? Infinity) <= answered) this.counts.stale += 1;
      else this.counts.live += 1;
    }
  }

  private async waitAfterNone(): Promise<void> {
    this.counts.unanswered += 1;
    await new Promise((wake) => setTimeout(wake, 20));
  }

  /** Always the same neighbours, so that a request for many is repeated as it was. */
  private crowdAround(place: number): string[] {
    const ids = [...this.receipts.keys()];
    const start = Math.floor(place / 10) * 10;
    return ids.slice(start, start + 10);
  }
}
