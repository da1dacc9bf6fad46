import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { factText } from '../../../src/documents/documentText.js';
import { grant, makeCustomer, revoke } from '../../support/records.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { between } from './standbyFaults.js';

interface Subject {
  id: string;
  receiptId: string;
  epoch: number;
  /** The newest epoch whose revocation has been answered. */
  closed: number;
  /** Whether each of its facts also counts as claims applied, so that a standby without it is behind. */
  isIngesting: boolean;
}

/** Of personalization in the vocabulary. */
const PURPOSE = 1;
const INGESTING_SHARE = 0.1;
/** How many are prepared side by side. */
const AT_ONCE = 10;

const WRITE_FACT = `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document,
  rest_document, resolved_at)
   VALUES ($1, $2, $3, 'epoch', $4, $5, $6, now())
   ON CONFLICT (app_id, customer_id, purpose, attribute)
   DO UPDATE SET epoch = excluded.epoch, document = excluded.document,
     rest_document = excluded.rest_document`;

const APPLY = `WITH fact AS (${WRITE_FACT})
   UPDATE customer_heads SET sequence = sequence + 1, applied_sequence = sequence + 1 WHERE app_id = $1
     AND customer_id = $2`;

/**
 * Customers whose consent comes and goes. Each has one fact, whose value is the epoch that it was collected
 * in.
 */
export class Subjects {
  revokes = 0;
  readonly ids: string[] = [];
  /** Whose consent is being changed at this moment. */
  private readonly changing = new Set<string>();
  private readonly gateways: readonly TestPartner[];
  private readonly owner: pg.Pool;
  private readonly byId = new Map<string, Subject>();

  /** @param owner connections to the primary past every gate */
  constructor(gateways: readonly TestPartner[], owner: pg.Pool) {
    this.gateways = gateways;
    this.owner = owner;
  }

  /** Customers with consent and a fact each; their ids. */
  async prepare(count: number): Promise<string[]> {
    while (this.ids.length < count) {
      const missing = Math.min(AT_ONCE, count - this.ids.length);
      const isIngesting = this.ids.length >= count * (1 - INGESTING_SHARE);
      this.ids.push(...(await Promise.all(Array.from({ length: missing }, () => this.add(isIngesting)))));
    }
    return this.ids;
  }

  /**
   * A revocation, a new grant and a fact of the new epoch, with time in between for reads, the first of them
   * at once.
   */
  async cycle(id: string, readAtOnce: () => Promise<void>): Promise<void> {
    this.changing.add(id);
    await this.revoke(id);
    await readAtOnce();
    await sleep(between(5, 150));
    await this.reopen(id);
    await sleep(between(5, 50));
    this.changing.delete(id);
  }

  /** Any customer, half of the time one whose consent is changing. */
  choose(): string {
    const changing = [...this.changing];
    return pick(Math.random() < 0.5 && changing.length > 0 ? changing : this.ids);
  }

  async grant(id: string): Promise<void> {
    const subject = this.find(id);
    subject.receiptId = await grant(pick(this.gateways), id, 'personalization');
    const { rows } = await this.owner.query<{ epochs: number[] }>(
      'SELECT epochs FROM customer_heads WHERE customer_id = $1',
      [id],
    );
    subject.epoch = rows[0]?.epochs[PURPOSE] ?? 0;
  }

  async revoke(id: string): Promise<void> {
    const subject = this.find(id);
    await revoke(pick(this.gateways), subject.receiptId);
    subject.closed = subject.epoch;
    this.revokes += 1;
  }

  /** The newest epoch of a customer that must not be seen by whoever begins to read now. */
  closedEpoch(id: string): number {
    return this.find(id).closed;
  }

  private async add(isIngesting: boolean): Promise<string> {
    const id = await makeCustomer(pick(this.gateways));
    this.byId.set(id, { id, receiptId: '', epoch: 0, closed: 0, isIngesting });
    await this.reopen(id);
    return id;
  }

  private async reopen(id: string): Promise<void> {
    await this.grant(id);
    const { epoch, isIngesting } = this.find(id);
    const fact = {
      attribute: 'epoch',
      resolvedValue: epoch,
      confidence: 1,
      resolutionMethod: 'consensus',
      consentPurpose: 'personalization',
      evidence: [],
      alternatives: [],
    };
    const texts = [factText('graphql', fact), factText('rest', fact)];
    const appId = pick(this.gateways).appId;
    await this.owner.query(isIngesting ? APPLY : WRITE_FACT, [appId, id, PURPOSE, epoch, ...texts]);
  }

  private find(id: string): Subject {
    const subject = this.byId.get(id);
    if (subject === undefined) throw new Error('A customer that was not prepared');
    return subject;
  }
}

export function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
