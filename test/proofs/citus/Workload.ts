import { setTimeout as sleep } from 'node:timers/promises';
import { claimBody, expectStatus } from '../../support/records.js';
import { freshKey } from '../../support/TestPartner.js';
import type { Answer, TestPartner } from '../../support/TestPartner.js';

const PURPOSE = 'personalization';

export interface Counts {
  /**
   * Grants that were filled with claims and read, by all people: the counts of what a round does follow from
   * it.
   */
  rounds: number;
  reads: number;
  revocations: number;
  claims: number;
  /** Facts of a withdrawn grant that a read showed after the withdrawal was answered. */
  stale: number;
  /** Answers of 503, by requests that were sent again. */
  unavailable: number;
  /** Answers that the same key is still under way, which are asked again too. */
  underWay: number;
  /** Answers that are neither the expected one nor 503. */
  wrong: string[];
}

export interface StaleRead {
  appId: string;
  customerId: string;
  /** The first round whose facts may be shown. */
  round: number;
  began: string;
  text: string;
}

interface Person {
  app: TestPartner;
  id: string;
  /** Values of the claims that were accepted. */
  accepted: string[];
}

/**
 * People whose consent is granted, filled with claims and withdrawn again and again, through several
 * gateways. Every request that fails is sent again with its key until it is answered.
 */
export class Workload {
  readonly counts: Counts = {
    rounds: 0,
    reads: 0,
    revocations: 0,
    claims: 0,
    stale: 0,
    unavailable: 0,
    underWay: 0,
    wrong: [],
  };
  /** Told of each stale read, and waited for, so that it can be explained. */
  onStale: (stale: StaleRead) => Promise<void> = async () => undefined;
  private readonly gateways: readonly string[];
  private readonly people: Person[] = [];
  private turn = 0;
  private ended = false;
  private loops: Promise<void>[] = [];

  constructor(gateways: readonly string[]) {
    this.gateways = gateways;
  }

  async prepare(apps: readonly TestPartner[], customers: number): Promise<void> {
    for (const app of apps)
      for (let index = 0; index < customers; index += 1) {
        const made = await this.insist(app, 'POST', '/v1/customers', { external_id: `person-${index}` }, 201);
        this.people.push({ app, id: String(made.body.customer.id), accepted: [] });
      }
  }

  start(): void {
    this.loops = this.people.map((person) => this.live(person));
  }

  async stop(): Promise<void> {
    this.ended = true;
    await Promise.all(this.loops);
  }

  /** Claims that were accepted and are nowhere to be found, once all work is done. */
  async lost(): Promise<number> {
    let lost = 0;
    for (const { app, id, accepted } of this.people) {
      const kept = new Set<string>();
      for (let cursor = ''; ;) {
        const page = await this.insist(
          app,
          'GET',
          `/v1/profiles/${id}/claims?limit=100${cursor}`,
          undefined,
          200,
        );
        for (const claim of page.body.data as { value: string }[]) kept.add(claim.value);
        const next = page.body.pagination.next_cursor as string | null;
        if (!next) break;
        cursor = `&cursor=${encodeURIComponent(next)}`;
      }
      lost += accepted.filter((value) => !kept.has(value)).length;
    }
    return lost;
  }

  /**
   * Rounds of a grant, claims, reads until their facts are shown, a withdrawal and a read, which would show
   * them if the withdrawal were lost. The last grant stays open, so that its claims can be counted.
   */
  private async live(person: Person): Promise<void> {
    for (let round = 1; ; round += 1) {
      const receipt = await this.grant(person);
      person.accepted = [];
      for (let index = 1; index <= 3; index += 1) await this.claim(person, `${round}-${index}`);
      while ((await this.read(person, round)) < 3 && !this.ended) await sleep(50);
      this.counts.rounds += 1;
      if (this.ended) return;
      await this.insist(person.app, 'POST', `/v1/consent-receipts/${receipt}/revoke`, {}, 202);
      this.counts.revocations += 1;
      await this.read(person, round + 1);
    }
  }

  private async grant({ app, id }: Person): Promise<string> {
    const body = { customer_id: id, purposes: [PURPOSE], terms_version: '1', privacy_policy_version: '1' };
    return String((await this.insist(app, 'POST', '/v1/consent-receipts', body, 201)).body.id);
  }

  private async claim({ app, id, accepted }: Person, value: string): Promise<void> {
    await this.insist(
      app,
      'POST',
      '/v1/claims',
      claimBody(id, { value, attribute: `kind_${value.at(-1) ?? ''}` }),
      202,
    );
    accepted.push(value);
    this.counts.claims += 1;
  }

  /**
   * A fact of a round before `round` belongs to a withdrawn grant.
   *
   * @returns how many facts of the round were shown
   */
  private async read({ app, id }: Person, round: number): Promise<number> {
    const began = new Date().toISOString();
    const { text } = await this.send(app, 'GET', `/v1/profiles/${id}`, undefined, freshKey(), [200, 403]);
    this.counts.reads += 1;
    const shown = [...text.matchAll(/"resolved_value":"(\d+)-\d"/g)].map(([, of]) => Number(of));
    const stale = shown.filter((of) => of < round);
    this.counts.stale += stale.length;
    if (stale.length > 0) await this.onStale({ appId: app.appId, customerId: id, round, began, text });
    return shown.length - stale.length;
  }

  private async insist(
    app: TestPartner,
    method: string,
    path: string,
    body: unknown,
    status: number,
  ): Promise<Answer> {
    const answer = await this.send(app, method, path, body, freshKey(), [status]);
    expectStatus(answer, status);
    return answer;
  }

  private async send(
    app: TestPartner,
    method: string,
    path: string,
    body: unknown,
    key: string,
    expected: readonly number[],
  ): Promise<Answer> {
    for (;;) {
      this.turn += 1;
      const gateway = this.gateways[this.turn % this.gateways.length] ?? '';
      const headers = method === 'GET' ? {} : { 'idempotency-key': key };
      const answer = await app.at(gateway).rest(method, path, body, headers).catch(noAnswer);
      if (expected.includes(answer.status)) return answer;
      const isUnderWay = answer.status === 409 && answer.body.error.code === 'idempotency_in_progress';
      if (answer.status === 503) this.counts.unavailable += 1;
      else if (isUnderWay) this.counts.underWay += 1;
      else this.counts.wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      if (answer.status < 500 && !isUnderWay) return answer;
      await sleep(100);
    }
  }
}

/** A connection that ended without an answer. */
function noAnswer(error: unknown): Answer {
  const text = error instanceof Error ? String(error.cause ?? error) : String(error);
  return { status: 599, headers: new Headers(), body: undefined, text };
}
