import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from './Tenant.js';

const MAX_TOKENS = 2000;
const BATCH = 500;
const MINUTE_MS = 60_000;

/** As dear as the limits on one operation let it be. */
const DEAREST = `{ customers(first: 60) { nodes { id
  resolvedProfile { facts { attribute resolvedValue confidence evidence {
    id value source provenance { sourcePartner } } } } } } }`;

/** A document that is refused only after it was compared with itself. */
const REFUSED = `{ ${'customers { nodes { id } } '.repeat(MAX_TOKENS / 8)} }`;

/** One thing that it does, so often a minute that about half of the budget which pays for it is spent. */
interface Habit {
  name: string;
  aMinute: number;
  act: () => Promise<number>;
}

/**
 * An app that does all at once what its limits allow it, evenly, so that it is never idle and seldom refused.
 */
export class Adversary {
  /** How often each habit was answered which status. */
  readonly answers = new Map<string, number>();
  private readonly habits: readonly Habit[];

  /** @param ids customers of the app, with a hundred facts each */
  constructor(by: Tenant, ids: readonly string[]) {
    const customer = (turn: number): string => ids[turn % ids.length] ?? '';
    const claims = (count: number, one: () => unknown): unknown[] => Array.from({ length: count }, one);
    let turn = 0;
    const batch = (): object => {
      const id = customer((turn += 1));
      return { claims: claims(BATCH, () => ({ ...by.claim(id, 0), observed_at: new Date().toISOString() })) };
    };
    this.habits = [
      { name: 'dearest GraphQL', aMinute: 6, act: () => by.graphql(DEAREST) },
      { name: 'profile', aMinute: 300, act: () => by.ask('GET', `/v1/profiles/${customer((turn += 1))}`) },
      { name: 'refused document', aMinute: 600, act: () => by.graphql(REFUSED) },
      { name: 'batch of 500', aMinute: 60, act: () => by.ask('POST', '/v1/claims/batch', batch()) },
      {
        name: 'refused batch',
        aMinute: 30,
        act: () =>
          by.ask('POST', '/v1/claims/batch', { claims: claims(BATCH, () => ({ x: 'y'.repeat(1000) })) }),
      },
      {
        name: 'large customer',
        aMinute: 1500,
        act: () =>
          by.ask('POST', '/v1/customers', {
            external_id: `large-${(turn += 1) % 100}`,
            metadata: { text: 'm'.repeat(50_000) },
          }),
      },
    ];
  }

  /** Until a time. */
  async run(end: number): Promise<void> {
    await Promise.all(this.habits.map((habit) => this.keep(habit, end)));
  }

  /** Does not wait for an answer before the next is due. */
  private async keep({ name, aMinute, act }: Habit, end: number): Promise<void> {
    const under: Promise<void>[] = [];
    for (let due = performance.now(); due < end; due += MINUTE_MS / aMinute) {
      await sleep(Math.max(0, due - performance.now()));
      under.push(act().then((status) => this.note(`${name} ${status}`)));
    }
    await Promise.all(under);
  }

  private note(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }
}
