import { setTimeout as sleep } from 'node:timers/promises';
import { claimBody } from '../../support/records.js';
import type { Answer, TestPartner } from '../../support/TestPartner.js';
import { freshKey } from '../../support/TestPartner.js';

/** Between two turns, so that it stays within its own limits. */
const PAUSE_MS = 500;
const RETRY_MS = 250;

const REVOKE = `mutation ($id: ID!, $key: String!) {
  revokeConsentReceipt(id: $id, idempotencyKey: $key) { workflowId }
}`;

/** What was accepted in one turn: all of it must be there in the end. */
interface Accepted {
  customer: string;
  receipt: string;
  claim: string;
}

/**
 * Another app, which uses the service as it always does: it writes, reads and revokes, and tells what it met.
 */
export class Bystander {
  readonly accepted: Accepted[] = [];
  /** Answers that must not be. */
  readonly problems: string[] = [];
  /** Honest refusals by their status. */
  readonly refused = new Map<number, number>();
  reads = 0;
  revokes = 0;
  slowestMs = 0;
  private readonly by: TestPartner;
  private stopped = false;

  constructor(by: TestPartner) {
    this.by = by;
  }

  /** Turns one after another, until it is told to stop. */
  async run(): Promise<void> {
    while (!this.stopped && this.problems.length === 0) {
      await this.turn();
      await sleep(PAUSE_MS);
    }
  }

  stop(): void {
    this.stopped = true;
  }

  /** Waits until so many turns more were made; false when something was met that must not be. */
  async makes(turns: number): Promise<boolean> {
    const enough = this.accepted.length + turns;
    while (this.accepted.length < enough && this.problems.length === 0) await sleep(RETRY_MS);
    return this.problems.length === 0;
  }

  /** Reads back all that was accepted, from a service that was started since; what is missing of it. */
  async findLost(url: string): Promise<string[]> {
    const by = this.by.at(url);
    const lost: string[] = [];
    for (const { customer, receipt, claim } of this.accepted) {
      const known = await by.rest('GET', `/v1/customers/${customer}`);
      if (known.status !== 200) lost.push(`customer ${customer}`);
      const revoked = await by.rest('GET', `/v1/consent-receipts/${receipt}`);
      if (revoked.body?.status !== 'revoked') lost.push(`revocation of ${receipt}`);
      const profile = await by.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`);
      if (profile.status !== 403) lost.push(`closed profile of ${customer}`);
      const workflow = await by.rest('GET', `/v1/workflows/${claim}`);
      if (workflow.status !== 200) lost.push(`claim ${claim}`);
    }
    return lost;
  }

  private async turn(): Promise<void> {
    const place = this.accepted.length;
    const customer = (await this.post('/v1/customers', { external_id: freshKey() }, 201))?.body.customer.id;
    const receipt = (await this.post('/v1/consent-receipts', receiptOf(customer), 201))?.body.id;
    const claim = (await this.post('/v1/claims', claimBody(customer), 202))?.body.workflow_id;
    const profile = `/v1/profiles/${customer}?consent_purpose=personalization`;
    if (await this.asked(() => this.by.rest('GET', profile), 200)) this.reads += 1;
    const key = freshKey();
    const revoked =
      place % 2 === 0
        ? await this.asked(() => this.revokeByRest(receipt, key), 202)
        : await this.asked(() => this.revokeByGraphql(receipt, key), 200);
    if (revoked !== undefined) this.revokes += 1;
    if (await this.asked(() => this.by.rest('GET', profile), 403)) this.reads += 1;
    if (this.problems.length === 0) this.accepted.push({ customer, receipt, claim });
  }

  private revokeByRest(receipt: string, key: string): Promise<Answer> {
    return this.by.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {}, { 'idempotency-key': key });
  }

  private async revokeByGraphql(id: string, key: string): Promise<Answer> {
    const answer = await this.by.graphql(REVOKE, { id, key });
    const { code = '' } = answer.errors[0]?.extensions ?? {};
    return REFUSALS.has(code) ? { ...answer, status: code === 'RATE_LIMITED' ? 429 : 503 } : answer;
  }

  private post(path: string, body: unknown, status: number): Promise<Answer | undefined> {
    const key = freshKey();
    return this.asked(() => this.by.rest('POST', path, body, { 'idempotency-key': key }), status);
  }

  /** Asks until it is answered as it should be; undefined after an answer that must not be. */
  private async asked(ask: () => Promise<Answer>, status: number): Promise<Answer | undefined> {
    while (this.problems.length === 0 && !this.stopped) {
      const began = performance.now();
      const answer = await ask().catch((error: unknown) => String(error));
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
      if (typeof answer !== 'string' && answer.status === status) return answer;
      if (typeof answer === 'string' || !isHonest(answer)) {
        this.problems.push(typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`);
        return undefined;
      }
      this.refused.set(answer.status, (this.refused.get(answer.status) ?? 0) + 1);
      await sleep(RETRY_MS);
    }
    return undefined;
  }
}

const REFUSALS = new Set(['RATE_LIMITED', 'UNAVAILABLE']);

/** A refusal that says what it is and when to come back. */
function isHonest({ status, headers, body }: Answer): boolean {
  if (body?.error?.code === 'idempotency_in_progress') return true;
  // A GraphQL answer of 200 tells it with the error of its field.
  const tellsWhen = headers.has('retry-after') || body?.errors?.[0]?.extensions?.retryAfterSeconds > 0;
  return (status === 429 || status === 503) && tellsWhen;
}

function receiptOf(customer: string): Record<string, unknown> {
  return {
    customer_id: customer,
    purposes: ['personalization'],
    terms_version: '2026-01',
    privacy_policy_version: '2026-02',
  };
}
