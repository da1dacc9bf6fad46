import type { Random } from '../../../src/demo/believable.js';
import type { Body, Door, Operation } from './doors.js';
import { isRead } from './doors.js';

/** The purposes that each app was granted. */
export const APPS = [
  ['analytics', 'personalization', 'support'],
  ['analytics', 'personalization'],
];
const BOTH = ['analytics', 'personalization'];
const PURPOSES = [...BOTH, 'support'];

export type Kind = 'apps' | 'customers' | 'receipts' | 'entries';

/** An id that an answer told the app, so many before the latest; or told the other app. */
export interface Draw {
  draw: Kind;
  back: number;
  ofOther?: boolean;
}

/** A request, before it is known which ids are drawn. */
export interface Plan {
  app: number;
  door: Door;
  node: number;
  operation: Operation;
  id?: Draw;
  input: Body;
  /** So many mutations before there was one that is sent again, or whose key this one takes. */
  again?: number;
  under?: number;
}

/** Requests that are sent at the same time; none: a wait until the workers are idle. */
export type Step = Plan[];

/** By these consent and data meet. */
const OFTEN: Operation[] = [
  ...(['createCustomer', 'createConsentReceipt', 'createConsentReceipt', 'revokeConsentReceipt'] as const),
  ...(['ingestClaim', 'ingestClaim', 'ingestEvent', 'ingestEvent', 'claims', 'resolvedProfile'] as const),
];

/** An entry and a customer who consents, of each app; steps at random; then reads when all is done. */
export function sequenceOf(random: Random, length: number): Step[] {
  const makers = makersOf(random);
  const operations = Object.keys(makers) as Operation[];
  const reads = operations.filter(isRead);
  const among = [...operations, ...OFTEN, ...operations.filter((one) => one !== 'deleteCustomer')];
  const steps = Array.from({ length }, () => {
    const app = random.below(APPS.length);
    const count = random.pick([0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2]);
    return Array.from({ length: count }, () => planOf(random, app, random.pick(among), makers));
  });
  const end = Array.from({ length: 16 }, (_, at) => [planOf(random, at % 2, random.pick(reads), makers)]);
  return [...[...APPS.keys()].flatMap(beginOf), ...steps, [], ...end];
}

function beginOf(app: number): Step[] {
  const receipt = { customer_id: { draw: 'customers', back: 0 }, purposes: BOTH };
  const calls: [Operation, Body][] = [
    ['createEntry', entryOf('1')],
    ['createCustomer', { external_id: 'ada' }],
    ['createConsentReceipt', receipt],
  ];
  return calls.map(([operation, input]) => [{ app, door: 'rest', node: 0, operation, input }]);
}

function planOf(random: Random, app: number, operation: Operation, makers: Makers): Plan {
  const place = { app, door: random.pick(['rest', 'graphql'] as const), node: random.below(2) };
  const plan = { ...place, operation, ...makers[operation]() };
  if (isRead(operation) || !random.chance(0.2)) return plan;
  return { ...plan, [random.pick(['again', 'again', 'under'])]: random.below(4) };
}

type Makers = Record<Operation, () => { id?: Draw; input: Body }>;

function makersOf(random: Random): Makers {
  const draw = (kind: Kind): Draw => ({
    draw: kind,
    back: random.pick([0, 0, 0, 1, 2]),
    ofOther: random.chance(0.08),
  });
  const customer = (): Body => ({ customer_id: draw('customers') });
  const purpose = (): Body => ({ consent_purpose: random.pick([...PURPOSES, ...BOTH]) });
  const maybe = (of: Body): Body => (random.chance(0.5) ? of : {});
  const page = (): Body => ({ limit: random.pick([2, 100]) });
  const some = (least: number): string[] => {
    const chosen = PURPOSES.filter((one) => random.chance(one === 'support' ? 0.2 : 0.6));
    return chosen.length < least ? [random.pick(BOTH)] : chosen;
  };
  // A confidence beyond 1 is refused.
  const item = (): Body => ({ ...customer(), ...purpose(), confidence: random.chance(0.1) ? 2 : 0.9 });
  const claim = (): Body => ({
    ...item(),
    attribute: random.pick(['genre', 'size']),
    value: random.pick(['crime', 'poetry']),
    source: random.pick(['till', 'web']),
    observed_at: random.pick(DAYS),
    provenance: { source_partner: 'Harbour Books', collected_at: DAYS[0] },
  });
  const event = (): Body => ({
    ...item(),
    event_type: random.pick(['purchased', 'liked']),
    object: draw('entries'),
    occurred_at: DAYS[0],
    ...maybe({ event_key: random.pick(['first', 'second']) }),
  });
  return {
    updateApp: () => ({
      id: { draw: 'apps', back: 0 },
      input: { allowed_consent_purposes: random.pick([BOTH, some(0)]) },
    }),
    createCustomer: () => ({
      input: {
        external_id: random.pick(['ada', 'ben']),
        ...maybe({ metadata: { tier: random.pick(['gold', 'tin']) } }),
      },
    }),
    deleteCustomer: () => ({ id: draw('customers'), input: {} }),
    createEntry: () => ({ input: entryOf(random.pick(['1', '2'])) }),
    createConsentReceipt: () => ({ input: { ...customer(), purposes: some(1) } }),
    revokeConsentReceipt: () => ({ id: draw('receipts'), input: maybe({ purposes: some(1) }) }),
    ingestClaim: () => ({ input: claim() }),
    ingestEvent: () => ({ input: event() }),
    ingestClaims: () => ({ input: { claims: [claim(), claim(), claim()] } }),
    ingestEvents: () => ({ input: { events: [event(), event(), event()] } }),
    customers: () => ({ input: { ...maybe(purpose()), ...page() } }),
    effectiveConsent: () => ({ input: customer() }),
    consentReceipts: () => ({ input: { ...maybe(customer()), ...page() } }),
    resolvedProfile: () => ({ input: { ...customer(), ...maybe(purpose()) } }),
    claims: () => ({ input: { ...customer(), ...maybe(purpose()), ...page() } }),
    intents: () => ({ input: { ...customer(), ...maybe(purpose()), ...page() } }),
    events: () => ({ input: { ...maybe(customer()), ...page() } }),
  };
}

const DAYS = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];

function entryOf(isbn: string): Body {
  return { ontology: 'book', entry_name: 'A book', fields: { isbn, title: 'Persuasion' } };
}
