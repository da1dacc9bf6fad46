import { expect } from 'chai';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { GraphQLField, GraphQLInputType } from 'graphql';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { routesByField } from '../../rest-bridge/routesByField.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { routeCases } from '../rest-bridge/routeCases.js';
import { ChildService } from '../support/ChildService.js';
import { grant, makeCustomer } from '../support/records.js';
import { recordProof } from '../support/recordProof.js';
import type { GraphqlAnswer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const SCOPES = ALL_SCOPES.filter((scope) => scope !== 'offline_access');
const schema = buildServiceSchema(resolverClasses);
const ABSENT = 'xxx_01kafem1xve7vbs97sn4r71brf';

type Needs = readonly (readonly Scope[])[] | 'admin' | 'nothing';

/** Root fields without a route, written down once more on purpose: alternatives of combinations. */
const WITHOUT_ROUTE: Readonly<Record<string, Needs>> = {
  'Query.appMembers': [['apps:read']],
  'Query.node': 'nothing',
  'Query.overview': [['apps:read'], ['consent:read'], ['profile:read'], ['events:read'], ['webhooks:read']],
  'Query.profiles': [['profile:read', 'profiles:read']],
  'Query.requestLog': [['apps:read']],
  'Query.viewer': 'nothing',
  'Query.webhookDelivery': [['webhooks:read']],
};

/** Guarded fields below the roots: how they are reached, by which scopes, and what they need beside them. */
const NESTED: readonly { query: string; reached: Scope[]; needs: Scope[] }[] = [
  ...Object.entries({
    'claims(first: 1) { nodes { id } }': 'claims:read',
    'connectionSessions(first: 1) { nodes { id } }': 'connections:read',
    'consentReceipts(first: 1) { nodes { id } }': 'consent:read',
    'consentTimeline { __typename }': 'consent:read',
    'effectiveConsent { __typename }': 'consent:read',
    'intents(first: 1) { __typename }': 'intents:read',
    'resolvedProfile { __typename }': 'profile:read',
  } as const).map(([field, scope]) => ({
    query: `query ($customer: ID!) { customer(id: $customer) { ${field} } }`,
    reached: ['customers:read' as const],
    needs: [scope],
  })),
  {
    query: 'query ($receipt: ID!) { consentReceipt(id: $receipt) { customer { id } } }',
    reached: ['consent:read'],
    needs: ['customers:read'],
  },
  {
    query: 'query ($customer: ID!) { resolvedProfile(customerId: $customer) { customer { id } } }',
    reached: ['profile:read'],
    needs: ['customers:read'],
  },
  {
    query: 'query ($customer: ID!) { resolvedProfile(customerId: $customer) { gates { __typename } } }',
    reached: ['profile:read'],
    needs: ['consent:read'],
  },
  { query: '{ viewer { app { name } } }', reached: [], needs: ['apps:read'] },
  { query: '{ overview { consent { __typename } } }', reached: ['events:read'], needs: ['consent:read'] },
  { query: '{ overview { deliveries { __typename } } }', reached: ['events:read'], needs: ['webhooks:read'] },
  { query: '{ overview { facts { __typename } } }', reached: ['events:read'], needs: ['profile:read'] },
  { query: '{ overview { ingest { __typename } } }', reached: ['apps:read'], needs: ['events:read'] },
  { query: '{ overview { requests { __typename } } }', reached: ['events:read'], needs: ['apps:read'] },
];

/** Proof: the one schema asks for the scopes of its fields behind GraphQL as it does behind REST. */
describe('The matrix of GraphQL fields and scopes', function () {
  this.timeout(300_000);
  let service: TestService;
  let app: TestPartner;
  let variables: Record<string, string>;
  const tokens = new Map<string, TestPartner>();

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    const customer = await makeCustomer(app);
    variables = { customer, receipt: await grant(app, customer, 'personalization') };
  });
  after(() => service.stop());

  /** The app with a token of just these scopes; made once. */
  async function having(...scopes: Scope[]): Promise<TestPartner> {
    const name = scopes.toSorted().join(' ');
    const known = tokens.get(name) ?? (await service.narrowed(app, ...scopes));
    tokens.set(name, known);
    return known;
  }

  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ name: `${type?.name}.${field.name}`, field })),
  );

  /** By the route that leads to it, whose scope its case names; else from the table above. */
  function needsOf(name: string): Needs {
    const [route] = routesByField(allRoutes)(name);
    if (route === undefined) return WITHOUT_ROUTE[name] ?? 'admin';
    const found = allRoutes.find(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}` === route,
    );
    const needs = routeCases[found?.operation ?? '']?.needs;
    return needs === undefined || needs === 'admin' ? 'admin' : [[needs]];
  }

  /** @throws Error for an answer that tells nothing of scopes */
  function verdictOf({ errors, status, text }: GraphqlAnswer): 'in' | 'scope' | 'credential' {
    const codes = errors.map(({ extensions }) => String(extensions['code']));
    const isInvalid = errors.some(({ extensions }) => extensions['reason'] === 'GRAPHQL_VALIDATION_FAILED');
    if (isInvalid || status >= 500 || codes.includes('UNAVAILABLE') || codes.includes('INTERNAL_ERROR'))
      throw new Error(text);
    if (codes.includes('UNAUTHENTICATED')) return 'credential';
    return codes.includes('INSUFFICIENT_SCOPE') ? 'scope' : 'in';
  }

  function expected(needs: Needs, held: readonly Scope[]): ReturnType<typeof verdictOf> {
    if (needs === 'nothing') return 'in';
    if (needs === 'admin') return 'credential';
    return needs.some((all) => all.every((scope) => held.includes(scope))) ? 'in' : 'scope';
  }

  /** Asks for what cannot be there, with an idempotency key that is none: nothing happens. */
  function documentOf(
    name: string,
    field: GraphQLField<unknown, unknown>,
  ): [string, Record<string, unknown>] {
    const args = field.args.filter(({ type }) => isNonNullType(type));
    const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
    const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
    const operation = name.startsWith('Mutation') ? 'mutation' : 'query';
    const text = `${operation}${declared && `(${declared})`} { ${field.name}${given && `(${given})`} ${selection} }`;
    return [text, Object.fromEntries(args.map((arg) => [arg.name, placeholder(arg.name, arg.type)]))];
  }

  /** Where the answers of a service differ from the matrix, of the root fields named. */
  async function deviations(
    url: string,
    names: readonly { name: string; field: GraphQLField<unknown, unknown> }[],
  ): Promise<string[]> {
    const found: string[] = [];
    for (const { name, field } of names) {
      const [text, values] = documentOf(name, field);
      const holders: Scope[][] = [...SCOPES.map((scope) => [scope]), ['profile:read', 'profiles:read']];
      const verdicts = await Promise.all(
        holders.map(async (held) => verdictOf(await (await having(...held)).at(url).graphql(text, values))),
      );
      for (const [place, held] of holders.entries())
        if (verdicts[place] !== expected(needsOf(name), held))
          found.push(`${name} by ${held.join(' + ')}: ${verdicts[place]}`);
    }
    return found;
  }

  it('contains every root field', () => {
    const missing = roots.filter(
      ({ name }) => routesByField(allRoutes)(name).length === 0 && !(name in WITHOUT_ROUTE),
    );
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });

  it('allows nested fields only with their own scope and those of their parents', async () => {
    for (const { query, reached, needs } of NESTED) {
      const others = SCOPES.filter((one) => !reached.includes(one));
      const verdicts = await Promise.all(
        others.map(async (scope) =>
          verdictOf(await (await having(...reached, scope)).graphql(query, declaredIn(query))),
        ),
      );
      for (const [place, scope] of others.entries())
        expect(verdicts[place], `${query} by ${[...reached, scope].join(' + ')}`).to.equal(
          needs.includes(scope) ? 'in' : 'scope',
        );
    }
  });

  function declaredIn(query: string): Record<string, string> {
    return Object.fromEntries(Object.entries(variables).filter(([name]) => query.includes(`$${name}:`)));
  }

  it('allows every root field only with its scope', async () => {
    expect(await deviations(service.url, roots)).to.deep.equal([]);
    const broken = await ChildService.start(
      service.database.ownerUrl,
      { ROLE: 'gateway' },
      'proofs/variants/unscopedFields.js',
    );
    const some = roots.filter(({ name }) => ['Query.customer', 'Mutation.deleteCustomer'].includes(name));
    const seen = await deviations(broken.url, some).finally(() => broken.kill());
    expect(seen.length).to.equal(some.length * SCOPES.length);
    recordProof({
      proof: 'graphqlScopes',
      injected: 'every root field of GraphQL asked with each single scope, and the guarded fields below them',
      times: roots.length * (SCOPES.length + 1) + NESTED.length * SCOPES.length,
      checked: 'the scope that is needed lets in, every other is INSUFFICIENT_SCOPE',
      figure: '0 deviations',
      broken: `a service that forgets the scopes of fields: ${seen.length} deviations at two fields`,
    });
  });
});

/** A value that the type takes; the optional is left out. */
function placeholder(name: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (name === 'idempotencyKey') return '';
  if (isListType(nullable)) return [placeholder(name, nullable.ofType)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) {
    const required = Object.values(nullable.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(required.map((field) => [field.name, placeholder(field.name, field.type)]));
  }
  const values: Record<string, unknown> = {
    Int: 1,
    Float: 1,
    Boolean: true,
    DateTime: '2026-01-02T03:04:05Z',
    JSONObject: {},
    JSON: 1,
    Scope: 'apps:read',
  };
  return values['name' in nullable ? nullable.name : ''] ?? ABSENT;
}
