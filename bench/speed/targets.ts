import { FACT_SHAPE, innerShape } from '../../src/documents/factShape.js';
import type { Shape } from '../../src/documents/factShape.js';
import { memberName } from '../../src/domain/door.js';
import type { Group, RequestParts, Target } from './Target.js';

/** The whole profile in the schema's order. */
const FULL = `query full($id: ID!) { resolvedProfile(customerId: $id) {
  customerId facts { ${selection(FACT_SHAPE)} } resolvedAt } }`;

/** Another selection, of about half the bytes. */
const PART = `query part($id: ID!) { resolvedProfile(customerId: $id) {
  facts { attribute resolvedValue confidence evidence {
    id source observedAt provenance { sourcePartner evidenceUrl } } } resolvedAt } }`;

/** The same for a schema made of tables: lists and identifiers by its names for them, provenance flat. */
const TABLES_FULL = `query full($id: String!) {
  resolvedProfile: profileByCustomerId(customerId: $id) { customerId
  facts: factsList(orderBy: ATTRIBUTE_ASC) {
    attribute resolvedValue confidence resolutionMethod consentPurpose
    evidence: evidenceList {
      id: rowId customerId attribute value source observedAt context consentPurpose confidence
      sourcePartner collectedAt sourceSystem evidenceUrl }
    alternatives: alternativesList { value confidence reason } } resolvedAt } }`;

const TABLES_PART = `query part($id: String!) { resolvedProfile: profileByCustomerId(customerId: $id) {
  facts: factsList(orderBy: ATTRIBUTE_ASC) { attribute resolvedValue confidence
    evidence: evidenceList { id: rowId source observedAt sourcePartner evidenceUrl } } resolvedAt } }`;

function selection(shape: Shape): string {
  return Object.entries(shape)
    .map(([member, kind]) => {
      const inner = innerShape(kind);
      return inner === undefined ? member : `${member} { ${selection(inner)} }`;
    })
    .join(' ');
}

const profile = (id: string): RequestParts => ({ path: `/v1/profiles/${id}` });
const claims = (id: string): RequestParts => ({ path: `/v1/profiles/${id}/claims` });
const customer = (id: string): RequestParts => ({ path: `/v1/customers/${id}` });
const full = (): RequestParts => ({ path: '/graphql', query: FULL });
const part = (): RequestParts => ({ path: '/graphql', query: PART });
const tablesFull = (): RequestParts => ({ path: '/graphql', query: TABLES_FULL });
const tablesPart = (): RequestParts => ({ path: '/graphql', query: TABLES_PART });

function rest(group: Group, name: string, server: string, request: Target['request'], note?: string): Target {
  return {
    group,
    name,
    server,
    request,
    read: (text) => JSON.parse(text) as unknown,
    ...(note === undefined ? {} : { note }),
  };
}

function graphql(group: Group, name: string, server: string, request: Target['request']): Target {
  return { group, name, server, request, read: (text) => (JSON.parse(text) as { data: unknown }).data };
}

function tables(group: Group, request: Target['request']): Target {
  const target = graphql(group, 'PostGraphile 5', 'postgraphile', request);
  return { ...target, read: (text) => withProvenance(target.read(text)) };
}

const APOLLO = 'Apollo Server 5 + TypeGraphQL';

/** What is measured; in each group the first is what the others are compared with. */
export const TARGETS: readonly Target[] = [
  rest('profile', 'raw node:http + pg', 'raw', profile),
  rest('profile', 'this service', 'ours', profile),
  rest('profile', 'this service, a process for this row alone', 'gated', profile, 'what the gate costs'),
  rest('profile', 'the same without the consent gate', 'ungated', profile, 'what the gate costs'),
  rest(
    'profile',
    'raw, without the consent gate',
    'raw',
    (id) => ({ path: `/v1/ungated/${id}` }),
    'what the gate costs',
  ),
  rest('profile', 'Express 5 + pg, tuned', 'express-tuned', profile),
  rest('profile', 'Express 5 + pg, plain', 'express', profile),
  rest('profile', 'Express 5 + TypeORM entities', 'typeorm', profile),
  {
    ...rest('profile', 'SOFA, simple resolvers', 'sofa', sofa),
    read: (text) => snakeCased(JSON.parse(text)),
  },
  rest('claims', 'raw node:http + pg', 'raw', claims),
  rest('claims', 'this service', 'ours', claims),
  rest('claims', 'Express 5 + pg, plain', 'express', claims),
  rest('customer', 'raw node:http + pg', 'raw', customer),
  rest('customer', 'this service', 'ours', customer),
  rest('customer', 'Express 5 + pg, plain', 'express', customer),
  graphql('graphql-full', 'this service', 'ours', full),
  graphql('graphql-full', 'Mercurius with JIT, simple resolvers', 'mercurius', full),
  graphql('graphql-full', `${APOLLO}, simple resolvers, no cache control`, 'apollo-simple', full),
  graphql('graphql-full', `${APOLLO}, defaults`, 'apollo', full),
  graphql('graphql-full', 'GraphQL Yoga, simple resolvers', 'yoga', full),
  tables('graphql-full', tablesFull),
  graphql('graphql-part', 'this service', 'ours', part),
  graphql('graphql-part', 'Mercurius with JIT, simple resolvers', 'mercurius', part),
  graphql('graphql-part', `${APOLLO}, simple resolvers, no cache control`, 'apollo-simple', part),
  graphql('graphql-part', 'GraphQL Yoga, simple resolvers', 'yoga', part),
  tables('graphql-part', tablesPart),
];

function sofa(id: string): RequestParts {
  return { path: `/api/resolved-profile?customerId=${id}` };
}

/** SOFA keeps GraphQL's spelling: the values are compared, not the names. */
function snakeCased(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => snakeCased(item));
  if (typeof value === 'string' && name === 'consentPurpose') return value.toLowerCase();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, held]) => [memberName('rest', member), snakeCased(held, member)]),
  );
}

const PROVENANCE = new Set(['sourcePartner', 'collectedAt', 'sourceSystem', 'evidenceUrl']);

/** Puts the columns of a claim's provenance where the other schemas have them. */
function withProvenance(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withProvenance);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([member, held]) => [member, withProvenance(held)] as const);
  const provenance = members.filter(([member]) => PROVENANCE.has(member));
  if (provenance.length === 0) return Object.fromEntries(members);
  const others = members.filter(([member]) => !PROVENANCE.has(member));
  return Object.fromEntries([...others, ['provenance', Object.fromEntries(provenance)]]);
}
