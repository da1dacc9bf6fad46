import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { claimBody, finished } from '../../support/records.js';
import type { Answer, TestPartner } from '../../support/TestPartner.js';

const SUBJECTS = 6;
const TERMS = { terms_version: '1', privacy_policy_version: '1' };

/** What partners do over several gateways while the primary is lost, and what they were told. */
export class FailoverLoad {
  /** Workflows of claims that were accepted. */
  readonly accepted: string[] = [];
  /** Customers whose consent was withdrawn, once that was answered. */
  readonly withdrawn: string[] = [];
  /** Answers that are neither what was asked for nor 503. */
  readonly wrong: string[] = [];
  /** Profiles that were shown although the withdrawal had been answered. */
  stale = 0;
  refused = 0;
  reads = 0;
  private readonly app: TestPartner;
  private readonly gateways: readonly string[];
  private readonly subjects: string[] = [];
  private clients: Promise<unknown>[] = [];
  private isOver = false;
  private turn = 0;

  constructor(app: TestPartner, gateways: readonly string[]) {
    this.app = app;
    this.gateways = gateways;
  }

  async start(clients: number): Promise<void> {
    for (let made = 0; made < SUBJECTS; made += 1) {
      const subject = await this.consentingCustomer();
      if (subject !== undefined) this.subjects.push(subject.customer);
    }
    this.clients = [
      ...Array.from({ length: clients }, (_, place) => this.write(place)),
      ...this.gateways.map((gateway) => this.read(gateway)),
    ];
  }

  /** Waits until so many more claims were accepted. */
  async acceptMore(count: number): Promise<void> {
    const until = this.accepted.length + count;
    while (this.accepted.length < until) await sleep(10);
  }

  async withdrawMore(count: number): Promise<void> {
    const until = this.withdrawn.length + count;
    while (this.withdrawn.length < until) await sleep(10);
  }

  async readMore(count: number): Promise<void> {
    const until = this.reads + count;
    while (this.reads < until) await sleep(10);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
  }

  /** Claims that the database lacks although they were accepted. */
  async lost(): Promise<number> {
    let lost = 0;
    for (const id of this.accepted) {
      const answer = await this.app.rest('GET', `/v1/workflows/${id}`);
      if (answer.status === 404) lost += 1;
      else expect((await finished(this.app, id)).status).to.equal('completed');
    }
    return lost;
  }

  /** Withdrawals that a gateway no longer knows of. */
  async reopened(gateway: string): Promise<number> {
    let open = 0;
    for (const customer of this.withdrawn) {
      const path = `/v1/profiles/${customer}?consent_purpose=personalization`;
      if ((await this.app.at(gateway).rest('GET', path)).status !== 403) open += 1;
    }
    return open;
  }

  private async write(place: number): Promise<void> {
    for (let round = place; !this.isOver; round += 1) {
      const customer = this.subjects[round % this.subjects.length] ?? '';
      const claim = await this.send(202, 'POST', '/v1/claims', claimBody(customer, { value: `v${round}` }));
      if (claim !== undefined) this.accepted.push(claim.body.workflow_id as string);
      if (round % 4 === 0) await this.withdraw();
    }
  }

  private async withdraw(): Promise<void> {
    const made = await this.consentingCustomer();
    if (made === undefined) return;
    const path = `/v1/consent-receipts/${made.receipt}/revoke`;
    if ((await this.send(202, 'POST', path, {})) !== undefined) this.withdrawn.push(made.customer);
  }

  /** Reads the latest withdrawn ones over one gateway, again and again. */
  private async read(gateway: string): Promise<void> {
    const at = this.app.at(gateway);
    for (let turn = 0; !this.isOver; turn += 1) {
      const customer = this.withdrawn.at(-1 - (turn % 5));
      if (customer === undefined) {
        await sleep(10);
        continue;
      }
      const answer = await at.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`);
      this.reads += 1;
      if (answer.status === 200) this.stale += 1;
      else if (answer.status !== 503 && answer.status !== 403) this.note(answer);
    }
  }

  private async consentingCustomer(): Promise<{ customer: string; receipt: string } | undefined> {
    const made = await this.send(201, 'POST', '/v1/customers', { external_id: crypto.randomUUID() });
    if (made === undefined) return undefined;
    const customer = made.body.customer.id as string;
    const consent = { customer_id: customer, purposes: ['personalization'], ...TERMS };
    const granted = await this.send(201, 'POST', '/v1/consent-receipts', consent);
    return granted === undefined ? undefined : { customer, receipt: granted.body.id as string };
  }

  /** The answer, when it has the status; a refusal is counted, and waited out. */
  private async send(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer | undefined> {
    const gateway = this.gateways[(this.turn += 1) % this.gateways.length] ?? '';
    const answer = await this.app.at(gateway).rest(method, path, body);
    if (answer.status === status) return answer;
    if (answer.status === 503) {
      this.refused += 1;
      await sleep(50);
    } else this.note(answer);
    return undefined;
  }

  private note({ status, text }: Answer): void {
    this.wrong.push(`${status}: ${text.slice(0, 300)}`);
  }
}
