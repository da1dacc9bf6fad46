import { expect } from 'chai';
import type {
  DocumentNode,
  FieldNode,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { getNamedType, isEnumType, isObjectType, Kind, print, visit } from 'graphql';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import type { Route } from '../../rest-bridge/Route.js';
import { routeDocument } from '../../rest-bridge/routeDocument.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import { routeCases } from '../rest-bridge/routeCases.js';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { claimBody, expectStatus, finished, grant, revoke, sendClaims } from '../support/records.js';

const schema = buildServiceSchema(resolverClasses);

/** Names that REST and GraphQL do not share by spelling; all others are the same word in two cases. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  data: 'nodes',
  pagination: 'pageInfo',
  has_more: 'hasNextPage',
  result: '*',
};

/** Times of the reading itself, which differ between two reads. */
const AT_READING = new Set(['evaluated_at']);

/** Whether two reads of one path differ in more than the times of the reading. */
function isOfOtherState(one: Json, other: Json): boolean {
  const textOf = (body: Json): string =>
    JSON.stringify(body, (name, value: unknown) => (AT_READING.has(name) ? null : value));
  return textOf(one) !== textOf(other);
}

describe('REST and GraphQL', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;
  let revocation: string;
  const paths: Record<string, string> = {};

  before(async () => {
    service = await TestService.start();
    app = await service.makeAppWith({
      allowed_consent_purposes: ['personalization', 'support', 'event_enrichment'],
    });
    await fill();
  });
  after(() => service.stop());

  /** A customer with something in every field that reads show. */
  async function fill(): Promise<void> {
    const profile = {
      username: 'ada',
      bio_markdown: '*Reads* at night',
      avatar_url: 'https://img.example/a.png',
      banner_url: 'https://img.example/b.png',
      public_location: { city: 'Kiel', state: 'SH', country: 'DE', metro_code: 'KI' },
    };
    const metadata = { camelCase: { Deep_Key: [1, null, { UPPER: 'VALUE' }] }, empty: {}, none: null };
    customer = expectStatus(
      await app.rest('POST', '/v1/customers', { external_id: 'ada', profile, metadata }),
      201,
    ).customer.id;
    const receipt = await grant(app, customer, 'personalization', 'support', 'event_enrichment');
    const provenance = {
      source_partner: 'Harbour',
      collected_at: '2026-01-01T00:00:00.000Z',
      source_system: 'pos',
      evidence_url: 'https://e.example/1',
    };
    await sendClaims(
      app,
      claimBody(customer, { provenance, context: 'in the shop' }),
      claimBody(customer, { source: 'web', value: 'Crime ' }),
      claimBody(customer, { source: 'app', value: 'poetry', confidence: 0.4 }),
      claimBody(customer, { attribute: 'languages', value: ['de', 'en'] }),
      claimBody(customer, { attribute: 'address', value: { Street_Name: 'Kai', noIt: 5 } }),
      claimBody(customer, { attribute: 'newsletter', value: false, consent_purpose: 'support' }),
    );
    const event = await routeCases['ingestEvent']?.body?.(app, service, '');
    const sent = {
      ...event,
      customer_id: customer,
      properties: { Some_Key: 'A' },
      event_key: 'e-1',
      intent_category: 'outcome',
    };
    const accepted = expectStatus(await app.rest('POST', '/v1/events', sent), 202);
    paths['getEvent'] = `/v1/events/${accepted.event_id}`;
    while (expectStatus(await app.rest('GET', paths['getEvent']), 200).status !== 'processed')
      await new Promise((wake) => setTimeout(wake, 10));
    revocation = await revoke(app, receipt, 'support');
    await finished(app, revocation);
    Object.assign(paths, {
      getCustomer: `/v1/customers/${customer}`,
      listCustomers: '/v1/customers?external_id=ada&limit=5',
      getConsentReceipt: `/v1/consent-receipts/${receipt}`,
      listConsentReceipts: `/v1/consent-receipts?customer_id=${customer}`,
      getEffectiveConsent: `/v1/customers/${customer}/effective-consent`,
      getProfile: `/v1/profiles/${customer}`,
      listClaims: `/v1/profiles/${customer}/claims?limit=2&consent_purpose=personalization`,
      listIntents: `/v1/profiles/${customer}/intents?category=outcome`,
      getWorkflow: `/v1/workflows/${revocation}`,
    });
  }

  for (const route of allRoutes.filter(({ method }) => method === 'GET')) {
    it(`show the same at ${route.path}, field by field`, async () => {
      const path = paths[route.operation] ?? (await routeCases[route.operation]?.path(app, service));
      if (path === undefined) throw new Error(`Add ${route.operation} to test/rest-bridge/routeCases.ts.`);
      const { query, variables, field } = asClientWould(route, path);
      const readRest = async (): Promise<Json> => expectStatus(await app.rest('GET', path), 200);
      let rest = await readRest();
      let { data, errors } = await app.graphql(query, variables);
      // What was learned about sources may have changed a fact in between.
      for (let now = await readRest(); isOfOtherState(now, rest); now = await readRest()) {
        rest = now;
        ({ data, errors } = await app.graphql(query, variables));
      }
      expect(errors).to.deep.equal([]);
      const type = schema.getQueryType()?.getFields()[field.name.value]?.type;
      if (type === undefined) throw new Error('The root field has no type.');
      const compared = compare(rest, data[field.name.value], type, field, route.operation);
      expect(compared, 'fields compared').to.be.above(1);
    });
  }

  it('have the same name for every field', () => {
    for (const route of allRoutes) {
      visit(routeDocument(schema, route), {
        Field: ({ alias, name }) => {
          const spelled = alias?.value ?? name.value;
          const same = spelled.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
          const other = OTHER_NAMES[spelled] ?? same;
          if (other !== '*') expect(name.value, `${route.operation}: ${spelled}`).to.be.oneOf([same, other]);
        },
      });
    }
  });

  it('make the same profile from the same values', async () => {
    const rest = await throughRest();
    const graphql = await throughGraphql();
    expect(graphql).to.deep.equal(rest);
    expect(
      rest.facts.map(({ attribute, resolved_value, resolution_method }: Json) => [
        attribute,
        resolved_value,
        resolution_method,
      ]),
    ).to.deep.equal([
      ['city', 'Kiel', 'consensus'],
      ['favourite_genre', 'crime', 'single_source'],
    ]);
  });

  const CLAIMS = [
    ['city', 'Kiel', 'till'],
    ['city', 'Kiel', 'web'],
    ['favourite_genre', 'crime', 'web'],
  ] as const;

  async function throughRest(): Promise<Json> {
    const made = expectStatus(await app.rest('POST', '/v1/customers', { external_id: 'by-rest' }), 201);
    const id = made.customer.id as string;
    const receipt = await grant(app, id, 'personalization');
    for (const [attribute, value, source] of CLAIMS)
      await sendClaims(app, claimBody(id, { attribute, value, source }));
    const profile = expectStatus(
      await app.rest('GET', `/v1/profiles/${id}?consent_purpose=personalization`),
      200,
    );
    expectStatus(
      await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, { reason: 'user_request' }),
      202,
    );
    expectStatus(await app.rest('GET', `/v1/profiles/${id}?consent_purpose=personalization`), 403);
    expect(expectStatus(await app.rest('GET', `/v1/profiles/${id}`), 200).facts).to.deep.equal([]);
    return withoutIdentity(profile);
  }

  async function throughGraphql(): Promise<Json> {
    const run = async (query: string, variables: object): Promise<Json> => {
      const { data, errors } = await app.graphql(query, { ...variables });
      expect(errors).to.deep.equal([]);
      return data;
    };
    const { createCustomer } = await run(
      'mutation($key: String!) { createCustomer(idempotencyKey: $key, input: { externalId: "by-graphql" }) { status customer { id } } }',
      {},
    );
    expect(createCustomer.status).to.equal('CREATED');
    const id = createCustomer.customer.id as string;
    const { createConsentReceipt } = await run(
      'mutation($key: String!, $id: ID!) { createConsentReceipt(idempotencyKey: $key, input: { customerId: $id, purposes: [PERSONALIZATION] }) { id } }',
      { id },
    );
    for (const [attribute, value, source] of CLAIMS) {
      const input = {
        customerId: id,
        attribute,
        value,
        source,
        observedAt: '2026-01-02T03:04:05.000Z',
        consentPurpose: 'PERSONALIZATION',
        confidence: 0.9,
        provenance: { sourcePartner: 'Harbour Books', collectedAt: '2026-01-02T03:04:05.000Z' },
      };
      const { ingestClaim } = await run(
        'mutation($key: String!, $input: IngestClaimInput!) { ingestClaim(idempotencyKey: $key, input: $input) { workflowId } }',
        { input },
      );
      await finished(app, ingestClaim.workflowId);
    }
    const route = allRoutes.find(({ operation }) => operation === 'getProfile') as Route;
    const { result } = await run(print(routeDocument(schema, route)), {
      customer_id: id,
      consent_purpose: 'PERSONALIZATION',
    });
    await run(
      'mutation($key: String!, $id: ID!) { revokeConsentReceipt(idempotencyKey: $key, id: $id, input: { reason: USER_REQUEST }) { workflowId } }',
      {
        id: createConsentReceipt.id,
      },
    );
    const after = await app.graphql(
      'query($id: ID!) { resolvedProfile(customerId: $id, consentPurpose: PERSONALIZATION) { facts { attribute } } open: resolvedProfile(customerId: $id) { facts { attribute } } }',
      { id },
    );
    expect(after.data).to.deep.equal({ resolvedProfile: null, open: { facts: [] } });
    expect(after.errors.map(({ extensions }) => extensions['code'] as string)).to.deep.equal([
      'CONSENT_DENIED',
    ]);
    return withoutIdentity(lowerPurposes(result));
  }
});

/**
 * The route's document as a client of GraphQL would write it: no aliases; its variables from the path and
 * query.
 */
function asClientWould(
  route: Route,
  path: string,
): { query: string; variables: Record<string, unknown>; field: FieldNode } {
  const document = routeDocument(schema, route);
  const [plainPath = '', search = ''] = path.split('?');
  const pattern = new RegExp(`^${route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  const given = { ...pattern.exec(plainPath)?.groups, ...Object.fromEntries(new URLSearchParams(search)) };
  const operation = operationOf(document);
  const types = new Map(
    (operation.variableDefinitions ?? []).map(({ variable, type }) => [
      variable.name.value,
      print(type).replace('!', ''),
    ]),
  );
  const variables = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const type = schema.getType(types.get(name) ?? '');
      if (types.get(name) === 'Int') return [name, Number(value)];
      return [name, isEnumType(type) ? String(value).toUpperCase() : value];
    }),
  );
  const unaliased = visit(document, { Field: ({ alias: _alias, ...node }) => node }) as DocumentNode;
  return { query: print(unaliased), variables, field: operation.selectionSet.selections[0] as FieldNode };
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('A route has one operation.');
  return definition;
}

/** Compares what REST shows with what GraphQL gave for the same selection; how many values were compared. */
function compare(rest: Json, graphql: Json, type: GraphQLOutputType, node: FieldNode, path: string): number {
  if (graphql === null) {
    expect(rest, `${path} is absent from REST`).to.equal(undefined);
    return 1;
  }
  if (Array.isArray(graphql)) {
    expect(rest, path).to.be.an('array').with.lengthOf(graphql.length);
    return graphql.reduce(
      (sum: number, item: Json, index: number) =>
        sum + compare(rest[index], item, type, node, `${path}[${index}]`),
      0,
    );
  }
  const named = getNamedType(type);
  if (!isObjectType(named)) {
    const expected = isEnumType(named) ? String(graphql).toLowerCase() : graphql;
    if (!AT_READING.has(node.alias?.value ?? '')) expect(rest, path).to.deep.equal(expected);
    return 1;
  }
  const fields = (node.selectionSet?.selections ?? []) as FieldNode[];
  const present = fields
    .filter((field) => graphql[field.name.value] !== null)
    .map((field) => field.alias?.value ?? field.name.value);
  expect(Object.keys(rest), path).to.have.members(present);
  return fields.reduce((sum, field) => {
    const name = field.alias?.value ?? field.name.value;
    const known = (named.getFields() as ReturnType<typeof fieldsOf>)[field.name.value];
    if (known === undefined) throw new Error(`${path} has no field ${name}.`);
    return sum + compare(rest[name], graphql[field.name.value], known.type, field, `${path}.${name}`);
  }, 0);
}

function fieldsOf(of: GraphQLSchema): Record<string, { type: GraphQLOutputType }> {
  return of.getQueryType()?.getFields() ?? {};
}

/** The enum values of a profile that GraphQL gave, as REST spells them; an absent value is left out. */
function lowerPurposes(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (name, item: unknown) =>
      item === null ? undefined : name === 'consent_purpose' ? String(item).toLowerCase() : item,
    )
      .replaceAll(
        /"resolution_method":"([A-Z_]+)"/g,
        (_m, m: string) => `"resolution_method":"${m.toLowerCase()}"`,
      )
      .replaceAll(/"reason":"([A-Z_]+)"/g, (_m, m: string) => `"reason":"${m.toLowerCase()}"`),
  );
}

/**
 * A profile without what tells two customers apart: what is learned of sources between the two walks shifts
 * confidences.
 */
function withoutIdentity(profile: Json): Json {
  const text = JSON.stringify(profile, (name, item: unknown) =>
    ['id', 'customer_id', 'resolved_at'].includes(name) ? undefined : item,
  );
  const { facts } = JSON.parse(text) as Json;
  // Evidence of equal strength stands in the order of its ids, which are random within a millisecond.
  for (const fact of facts) fact.evidence.sort((a: Json, b: Json) => a.source.localeCompare(b.source));
  for (const fact of facts) delete fact.confidence;
  return { facts };
}
