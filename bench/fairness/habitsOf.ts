import type { Tenant } from './Tenant.js';

const MAX_TOKENS = 2000;
const BATCH = 500;

/** As dear as the limits on one operation let it be. */
const DEAREST = `{ customers(first: 60) { nodes { id
  resolvedProfile { facts { attribute resolvedValue confidence evidence {
    id value source provenance { sourcePartner } } } } } } }`;

/** A document that is refused only after it was compared with itself. */
const REFUSED = `{ ${'customers { nodes { id } } '.repeat(MAX_TOKENS / 8)} }`;

/** One thing that it does, so often a minute that about half of the budget which pays for it is spent. */
export interface Habit {
  name: string;
  aMinute: number;
  act: () => Promise<number>;
}

/**
 * What an app does that does all at once what its limits allow it, evenly, so that it is never idle and
 * seldom refused.
 *
 * @param ids customers of the app, with a hundred facts each
 */
export function habitsOf(by: Tenant, ids: readonly string[]): Habit[] {
  let turn = 0;
  const nextId = (): string => ids[(turn += 1) % ids.length] ?? '';
  const claims = (one: () => unknown): object => ({ claims: Array.from({ length: BATCH }, one) });
  const batch = (): object => {
    const id = nextId();
    return claims(() => ({ ...by.claim(id, 0), observed_at: new Date().toISOString() }));
  };
  return [
    { name: 'dearest GraphQL', aMinute: 6, act: () => by.graphql(DEAREST) },
    { name: 'profile', aMinute: 300, act: () => by.ask('GET', `/v1/profiles/${nextId()}`) },
    { name: 'refused document', aMinute: 600, act: () => by.graphql(REFUSED) },
    { name: 'batch of 500', aMinute: 60, act: () => by.ask('POST', '/v1/claims/batch', batch()) },
    {
      name: 'refused batch',
      aMinute: 30,
      act: () =>
        by.ask(
          'POST',
          '/v1/claims/batch',
          claims(() => ({ x: 'y'.repeat(1000) })),
        ),
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
