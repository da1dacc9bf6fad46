import type { Json } from '../../support/TestPartner.js';
import type { Ask, GatewayAnswer } from './Gateway.js';

export const PURPOSES = ['personalization', 'analytics', 'support'] as const;

export type Purpose = (typeof PURPOSES)[number];

/** Who is read: a customer under a purpose, or the customers around. */
export interface Target {
  id: string;
  purpose: Purpose;
  crowd: readonly string[];
}

/** What a read showed: of whom, and under which purpose. */
export type Shown = [customerId: string, purpose: string][];

/** One way to read of a customer what consent guards. */
export interface Shape {
  ask(target: Target): Ask;
  /** @param data the body of REST, or `data` of GraphQL; empty where the gate refused all */
  shown(data: Json, id: string): Shown;
  /** Asks for the customers around instead of the one. */
  isCrowd?: true;
}

interface Fact {
  consent_purpose?: string;
  consentPurpose?: string;
}

const PROFILE = `query Profile($id: ID!, $purpose: ConsentPurpose) {
  resolvedProfile(customerId: $id, consentPurpose: $purpose) {
    facts { attribute consentPurpose resolvedValue } } }`;
const NESTED = `query Nested($id: ID!) {
  customer(id: $id) { claims(first: 20) { nodes { consentPurpose value } }
  resolvedProfile { facts { consentPurpose resolvedValue evidence { consentPurpose } } } } }`;
const CROWD = `query Crowd($ids: [ID!]!) {
  profiles(customerIds: $ids) { customerId facts { consentPurpose resolvedValue } } }`;

let serial = 0;

const shownOf = (id: string, facts: readonly Fact[] = []): Shown =>
  facts.map((fact) => [id, (fact.consentPurpose ?? fact.consent_purpose ?? '').toLowerCase()]);

const rest = (path: (target: Target) => string, member: 'facts' | 'data'): Shape => ({
  ask: (target) => ({ method: 'GET', path: `/v1/profiles/${path(target)}` }),
  shown: (body: Json, id) => shownOf(id, body[member]),
});

const graphql = (
  ask: (target: Target) => { query: string; variables: object },
  shown: Shape['shown'],
): Shape => ({ ask: (target) => ({ method: 'POST', path: '/graphql', body: ask(target) }), shown });

const profile: Shape['shown'] = (data: Json, id) => shownOf(id, data.resolvedProfile?.facts);

/** Both doors; documents that are known and documents that were never seen; one customer and many. */
export const SHAPES: readonly Shape[] = [
  rest(({ id }) => id, 'facts'),
  rest(({ id, purpose }) => `${id}?consent_purpose=${purpose}`, 'facts'),
  rest(({ id }) => `${id}/claims?limit=50`, 'data'),
  rest(({ id, purpose }) => `${id}/claims?consent_purpose=${purpose}`, 'data'),
  graphql(({ id }) => ({ query: PROFILE, variables: { id } }), profile),
  graphql(
    ({ id, purpose }) => ({ query: PROFILE, variables: { id, purpose: purpose.toUpperCase() } }),
    profile,
  ),
  graphql(({ id }) => ({ query: `${PROFILE} # ${(serial += 1)}`, variables: { id } }), profile),
  graphql(
    ({ id }) => ({ query: NESTED, variables: { id } }),
    ({ customer }: Json, id) => [
      ...shownOf(id, customer?.claims?.nodes),
      ...shownOf(id, customer?.resolvedProfile?.facts),
    ],
  ),
  {
    ...graphql(
      ({ crowd }) => ({ query: CROWD, variables: { ids: crowd } }),
      ({ profiles }: Json) =>
        ((profiles ?? []) as Json[]).flatMap((one) => shownOf(one?.customerId, one?.facts)),
    ),
    isCrowd: true,
  },
];

const COME_BACK = new Set([429, 503]);

interface GraphqlError {
  extensions: { code: string; status: number };
}

/** What an answer shows, and whether it is the whole answer or one that a fault cut short. */
export interface Judged {
  data: Json;
  whole: boolean;
}

/** A refusal of the gate shows nothing; any other that no fault explains is a failure of the proof. */
export function judge({ status, body }: GatewayAnswer): Judged {
  if (COME_BACK.has(status)) return { data: {}, whole: false };
  if (status === 403 && body.error?.code === 'consent_denied') return { data: {}, whole: true };
  const errors = (body.errors ?? []) as GraphqlError[];
  const faults = errors.filter(({ extensions }) => COME_BACK.has(extensions.status));
  const denials = errors.filter(({ extensions }) => extensions.code === 'CONSENT_DENIED');
  if (status !== 200 || faults.length + denials.length < errors.length)
    throw new Error(`Not an answer of the gate: ${status} ${JSON.stringify(body).slice(0, 500)}`);
  const isGraphql = 'errors' in body || ('data' in body && !Array.isArray(body.data));
  return { data: isGraphql ? (body.data ?? {}) : body, whole: faults.length === 0 };
}
