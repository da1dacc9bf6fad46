import { expect } from 'chai';
import { getIntrospectionQuery } from 'graphql';
import { serverAudits } from 'graphql-http';
import type { GraphqlAnswer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { claimBody, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';

describe('The GraphQL endpoint', () => {
  let service: TestService;
  let production: string;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    production = await service.addNode({
      NODE_ENV: 'production',
      LOG_LEVEL: 'silent',
      BASE_URL: 'https://api.example.com',
    });
    app = await service.makeApp();
  });
  after(() => service.stop());

  const codes = ({ errors }: GraphqlAnswer): string[] =>
    errors.map(({ extensions }) => extensions['code'] as string);

  describe('follows GraphQL over HTTP', () => {
    const audits = serverAudits({
      url: () => `${service.url}/graphql`,
      fetchFn: (input: string, init: RequestInit = {}) =>
        fetch(input, {
          ...init,
          headers: { ...(init.headers as Record<string, string>), ...app.credentials },
        }),
    });

    it('passes 61 audits', () => expect(audits).to.have.length(61));

    for (const { id, name, fn } of audits) {
      it(`${id} ${name}`, async () => {
        const result = await fn();
        if (result.status !== 'ok') throw new Error(`${result.status}: ${result.reason}`);
      });
    }
  });

  describe('with limits', () => {
    const nested = (depth: number): string => {
      const path = Array.from({ length: depth - 3 }, (_, index) =>
        index % 2 ? 'customer' : 'consentReceipts(first: 1) { nodes',
      );
      return `{ customer(id: "x") { ${path.join(' { ')} {
        id ${'}'.repeat(path.length + path.filter((part) => part.includes('{')).length)} } }`;
    };

    it('limits the depth of an operation', async () => {
      const deep = nested(20);
      const answer = await app.graphql(deep);
      expect(codes(answer)).to.deep.equal(['INVALID_REQUEST']);
      expect(answer.errors[0]?.message).to.match(/^Query depth limit of 12 exceeded, found \d+\.$/);
      expect(answer.errors[0]?.extensions).to.include({ status: 400, reason: 'GRAPHQL_VALIDATION_FAILED' });
      const fragments = `fragment A on Customer {
        consentReceipts { nodes { customer { ...B } } } } fragment B on Customer {
        consentReceipts { nodes { customer { ...C } } } }
        fragment C on Customer { consentReceipts {
          nodes { customer { consentReceipts { nodes { customer { id } } } } } } } {
          customer(id: "x") { ...A } }`;
      expect(codes(await app.graphql(fragments)), 'through fragments').to.deep.equal(['INVALID_REQUEST']);
      const cycle =
        'fragment A on Customer { consentReceipts { nodes { customer { ...A } } } } { customer(id: "x") { ...A } }';
      expect((await app.graphql(cycle)).errors.length, 'around a circle').to.be.above(0);
      expect(
        codes(
          await app.graphql(
            '{ customer(id: "x") { consentReceipts(first: 1) { nodes { customer { consentReceipts(first: 1) { nodes { id } } } } } } }',
          ),
        ),
      ).to.deep.equal(['NOT_FOUND']);
    });

    it('limits the aliases of an operation', async () => {
      const aliased = (count: number): string =>
        `{ ${Array.from({ length: count }, (_, index) => `a${index}: app(id: "${app.appId}") { id }`).join(' ')} }`;
      expect((await app.graphql(aliased(15))).errors).to.deep.equal([]);
      const names = Array.from({ length: 16 }, (_, index) => `a${index}: __typename`);
      expect((await app.graphql(`{ ${names.join(' ')} }`)).errors).to.have.length(1);
      const [error] = (await app.graphql(aliased(16))).errors;
      expect(error?.message).to.equal('Aliases limit of 15 exceeded, found 16.');
      expect(error?.extensions).to.include({
        code: 'INVALID_REQUEST',
        status: 400,
        reason: 'GRAPHQL_VALIDATION_FAILED',
      });
    });

    it('limits the cost of an operation, with list sizes from literals and variables', async () => {
      const wide =
        'query($n: Int) { customers(first: $n) { nodes { consentReceipts(first: $n) { nodes { id customer { id } } } } } }';
      expect((await app.graphql(wide, { n: 10 })).errors).to.deep.equal([]);
      for (const answer of [
        await app.graphql(wide, { n: 100 }),
        await app.graphql(
          wide.replaceAll('$n)', '100)').replace('query(100)', '').replace('query($n: Int)', ''),
        ),
      ]) {
        expect(answer.errors[0]?.message).to.match(/costs/);
        expect(codes(answer)).to.deep.equal(['INVALID_REQUEST']);
      }
    });

    for (const name of ['constructor', '__proto__', 'toString', 'valueOf'])
      it(`counts the default of a variable named ${name}`, async () => {
        const wide = 'nodes { claims(first: 100) { nodes { id attribute value source } } }';
        const ids = JSON.stringify(Array.from({ length: 100 }, (_, index) => `cus_${index}`));
        for (const query of [
          `query($${name}: Boolean! = true) { customers(first: 100) @include(if: $${name}) { ${wide} } }`,
          `query($${name}: Boolean! = false) { customers(first: 100) @skip(if: $${name}) { ${wide} } }`,
          `query($${name}: Int = 100) { customers(first: $${name}) { ${wide} } }`,
          `query($${name}: [ID!]! = ${ids}) { profiles(customerIds: $${name}) {
            customer { claims(first: 100) { nodes { id attribute value source } } } } }`,
        ]) {
          const answer = await app.graphql(query);
          expect(codes(answer), query).to.deep.equal(['INVALID_REQUEST']);
          expect(answer.errors[0]?.message, query).to.match(/costs \d+ fields/);
        }
        const small = `query($${name}: Int = 1) { customers(first: $${name}) { ${wide} } }`;
        expect((await app.graphql(small)).errors, 'a small page').to.deep.equal([]);
        const given = small.replace('= 1', '= 100');
        expect((await app.graphql(given, { [name]: 1 })).errors, 'its value, if given').to.deep.equal([]);
      });

    it('limits the sizes of pages and bulk reads', async () => {
      for (const first of [0, -1, 101]) {
        const [error] = (
          await app.graphql('query($n: Int) { customers(first: $n) { nodes { id } } }', { n: first })
        ).errors;
        expect(error?.extensions).to.include({ code: 'INVALID_REQUEST', status: 400 });
      }
      const ids = Array.from({ length: 101 }, (_, index) => `cus_${index}`);
      expect(
        codes(
          await app.graphql('query($ids: [ID!]!) { profiles(customerIds: $ids) { customerId } }', { ids }),
        ),
      ).to.deep.equal(['INVALID_REQUEST']);
    });

    it('refuses several operations in one request', async () => {
      const query = `{ app(id: "${app.appId}") { id } }`;
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { ...app.credentials, 'content-type': 'application/json' },
        body: JSON.stringify([{ query }, { query }]),
      });
      expect(response.status).to.be.within(400, 499);
      const body = (await response.json()) as { errors: Json[]; data?: unknown };
      expect(body.data).to.equal(undefined);
      expect(body.errors[0].extensions.requestId).to.equal(response.headers.get('x-request-id'));
    });

    it('refuses mutations by GET', async () => {
      const query = 'mutation { deleteCustomer(id: "x", idempotencyKey: "0123456789abcdef") { id } }';
      for (const accept of ['application/json', 'text/event-stream']) {
        const response = await fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`, {
          headers: { ...app.credentials, accept },
        });
        expect(response.status, accept).to.equal(405);
        expect(response.headers.get('allow'), accept).to.equal('POST');
      }
    });

    it('limits the work caused by a huge document', async () => {
      for (const query of [
        `{ ${'__typename '.repeat(60_000)} }`,
        `{ ${'a: __typename '.repeat(40_000)} }`,
        `{${'{a'.repeat(50_000)}`,
        `{ app(id: "x") ${'@skip(if: true) '.repeat(50_000)} { id } }`,
        `query(${Array.from({ length: 30_000 }, (_, index) => `$v${index}: Int`).join(' ')}) { __typename }`,
      ]) {
        const answer = await app.graphql(query);
        expect(answer.errors.length, query.slice(0, 60)).to.be.above(0);
        expect(answer.status).to.be.below(500);
        expect(answer.text.length).to.be.below(100_000);
      }
    });

    it('limits the depth of introspection', async () => {
      const round = (depth: number): string =>
        depth === 0 ? 'name' : `fields { type { ${round(depth - 1)} } }`;
      const answer = await app.graphql(`{ __schema { types { ${round(8)} } } }`);
      expect(answer.errors.length).to.be.above(0);
      expect(answer.text.length).to.be.below(10_000);
      const inputs = (depth: number): string =>
        depth === 0 ? 'name' : `inputFields { type { ${inputs(depth - 1)} } }`;
      expect((await app.graphql(`{ __schema { types { ${inputs(8)} } } }`)).errors.length).to.be.above(0);
    });

    it('limits the size of a body, to 4 MiB if it ingests and to 1 MiB if not', async () => {
      const create = `mutation ($key: String!) {
        createCustomer(input: { externalId: "filler" }, idempotencyKey: $key) { status } }`;
      const ingest = `mutation ($key: String!) {
        ingestClaims(input: { claims: [] }, idempotencyKey: $key) { accepted } }`;
      const withFiller = (query: string, mebibytes: number): Promise<GraphqlAnswer> =>
        app.graphql(query, { filler: 'x'.repeat(mebibytes * 1024 * 1024) });
      for (const [query, mebibytes] of [
        ['{ __typename }', 1],
        [create, 1],
        [ingest, 4],
      ] as const) {
        const answer = await withFiller(query, mebibytes);
        expect([answer.status, ...codes(answer)], query).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
        expect(answer.errors[0]?.message).to.include(`${mebibytes * 1024 * 1024} bytes`);
      }
      expect((await withFiller('{ __typename }', 0.9)).errors).to.deep.equal([]);
      expect(codes(await withFiller(ingest, 3.9)), 'its own refusal').to.deep.equal(['VALIDATION_FAILED']);
    });

    it('refuses in the media type that the client accepts', async () => {
      const type = 'application/graphql-response+json';
      const asks: [string, number][] = [
        [`{ ${'__typename '.repeat(60_000)} }`, 413],
        [`{ ${'a: __typename '.repeat(1000)} }`, 400],
        ['query { ', 400],
      ];
      for (const [query, status] of asks)
        for (const accept of [type, `${type}, application/json;q=0.9`]) {
          const answer = await app.graphql(query, {}, { accept });
          expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
            status,
            `${type}; charset=utf-8`,
          ]);
        }
      const [refused, unknown] = [
        await service.nobody.graphql(
          '{ __typename }',
          {},
          { accept: type, authorization: 'Bearer nonsense' },
        ),
        await app.graphql('{ __typename }', {}, { accept: 'text/html' }),
      ];
      expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
        401,
        `${type}; charset=utf-8`,
      ]);
      expect([unknown.status, unknown.headers.get('content-type')]).to.deep.equal([
        406,
        'application/json; charset=utf-8',
      ]);
      expect(unknown.body.errors[0].extensions.status).to.equal(406);
    });

    it('limits a text argument as REST limits a parameter', async () => {
      const query = 'query ($text: String) { customers(externalIdPrefix: $text) { totalCount } }';
      expect((await app.graphql(query, { text: 'x'.repeat(2048) })).data.customers.totalCount).to.equal(0);
      for (const length of [2049, 1_000_000]) {
        const [error] = (await app.graphql(query, { text: 'x'.repeat(length) })).errors;
        const { body } = await app.rest('GET', `/v1/customers?external_id_prefix=${'x'.repeat(2049)}`);
        const [{ code, message, field }] = (error?.extensions['details'] ?? [{}]) as [Json];
        const [of] = body.error.details as Json[];
        expect(error?.extensions).to.include({ code: 'INVALID_REQUEST', status: 400 });
        expect([code, message]).to.deep.equal([of.code, of.message]);
        expect(field).to.equal('externalIdPrefix');
      }
    });

    it('limits a filter of entries before it is read, of an unknown ontology too', async () => {
      const query =
        'query ($fields: JSONObject) { entries(ontology: "none", fields: $fields) { totalCount } }';
      const members = (count: number): object =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
      const [few, many, huge] = [
        await app.graphql(query, { fields: members(10) }),
        await app.graphql(query, { fields: members(11) }),
        await app.graphql(query, { fields: members(20_000) }),
      ];
      expect(few.data).to.deep.equal({ entries: { totalCount: 0 } });
      expect(many.errors[0]?.message).to.equal('The filter is not valid: fields may name at most 10 fields.');
      expect(huge.errors[0]?.extensions['details'][0]).to.include({
        code: 'invalid_parameter',
        message: 'must not be longer than 65536 characters of JSON',
        field: 'fields',
      });
      expect([...codes(many), ...codes(huge)]).to.deep.equal(['INVALID_REQUEST', 'INVALID_REQUEST']);
    });

    it('reports at most 50 problems of variables with a count of the others', async () => {
      const mutation = `mutation ($input: CreateCustomerInput!, $key: String!) {
        createCustomer(input: $input, idempotencyKey: $key) { status } }`;
      const unknown = (count: number): Record<string, unknown> => ({
        externalId: 'x',
        ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1])),
      });
      const all = await app.graphql(mutation, { input: unknown(50) });
      expect(all.errors).to.have.length(50);
      expect(all.errors.every(({ extensions }) => extensions['detailsOmitted'] === undefined)).to.equal(true);
      const some = await app.graphql(mutation, { input: unknown(73) });
      expect(some.errors).to.have.length(51);
      expect(some.errors.at(-1)).to.deep.include({
        message: '23 more problems of the variables are left out.',
      });
      expect(some.errors.at(-1)?.extensions).to.deep.include({
        code: 'VALIDATION_FAILED',
        detailsOmitted: 23,
        details_omitted: 23,
      });
      const many = await app.graphql(mutation, { input: unknown(50_000) });
      expect(many.errors.at(-1)?.message).to.equal(
        'At least 950 more problems of the variables are left out.',
      );
      expect(many.errors.at(-1)?.extensions['detailsOmitted']).to.equal(950);
    });
  });

  describe('with introspection', () => {
    const INTROSPECTION = '{ shape: __schema { queryType { name } } __type(name: "Customer") { name } }';

    it('shows its schema to everybody in development and to token holders in production', async () => {
      expect((await service.nobody.graphql(INTROSPECTION)).data.shape.queryType.name).to.equal('Query');
      const refused = await service.nobody.at(production).graphql(INTROSPECTION);
      expect([refused.status, ...codes(refused)]).to.deep.equal([401, 'UNAUTHENTICATED']);
      expect(refused.headers.get('www-authenticate')).to.match(/^Bearer/);
      expect(refused.text).to.not.include('Query');
      expect((await app.at(production).graphql(INTROSPECTION)).data.shape.queryType.name).to.equal('Query');
    });

    it('answers the queries of tools', async () => {
      for (const query of [
        getIntrospectionQuery(),
        getIntrospectionQuery({
          specifiedByUrl: true,
          directiveIsRepeatable: true,
          schemaDescription: true,
          inputValueDeprecation: true,
          oneOf: true,
        }),
      ])
        for (const accept of ['application/json', 'text/event-stream']) {
          const { text } = await app.graphql(query, {}, { accept });
          expect(text, accept).to.include('"queryType":{"name":"Query"').and.not.include('"errors"');
        }
    });

    it('refuses what costs too much', async () => {
      const named = 'name kind description';
      const ref = `type { ${named} ofType { ${named} ofType { ${named} } } }`;
      const type = `fragment T on __Type { fields(includeDeprecated: true) {
          type { ...U ofType { ...U ofType { ...U ofType { ...U } } } } } }
        fragment U on __Type { ${named} enumValues { name description }
          fields(includeDeprecated: true) { name description isDeprecated
            args { name description defaultValue ${ref} } ${ref} } }`;
      const often = Array.from({ length: 15 }, (_, index) => `a${index}: __schema { types { ...T } }`);
      for (const query of [
        `{ ${often.join(' ')} } ${type}`,
        `{ ... { __schema { types { ...T } } } } ${type}`,
      ])
        for (const accept of ['application/graphql-response+json', 'text/event-stream']) {
          const answer = await app.graphql(query, {}, { accept });
          expect([answer.status, ...codes(answer)], accept).to.deep.equal([400, 'INVALID_REQUEST']);
          expect(answer.errors[0]?.message).to.equal(
            'The operation costs more than 20000 fields; at most 20000 are allowed. Introspect less at once.',
          );
          expect(answer.data).to.equal(undefined);
        }
    });

    it('shows no data without a credential', async () => {
      for (const url of [service.url, production]) {
        const answer = await service.nobody.at(url).graphql('{ customers { nodes { id } } }');
        expect([answer.status, ...codes(answer)]).to.deep.equal([401, 'UNAUTHENTICATED']);
        expect(answer.headers.get('www-authenticate')).to.match(/^Bearer/);
      }
    });

    it('suggests no names to anonymous callers in production', async () => {
      const answer = await service.nobody.at(production).graphql('{ custmer(id: "x") { id } }');
      expect(answer.text).to.not.match(/customer/);
    });
  });

  describe('with errors', () => {
    it('reports code, status and request id without a stack', async () => {
      const cases: [string, string, number][] = [
        ['{ customer(id: "cus_nobody") { id } }', 'NOT_FOUND', 404],
        [
          'mutation { createCustomer(idempotencyKey: "short", input: { externalId: "x" }) { status } }',
          'IDEMPOTENCY_KEY_INVALID',
          400,
        ],
        [
          'mutation($key: String!) { createCustomer(idempotencyKey: $key, input: { externalId: "" }) { status } }',
          'VALIDATION_FAILED',
          422,
        ],
        [
          'mutation($key: String!) { createApp(idempotencyKey: $key, input: { name: "x", redirectUris: [] }) { appId } }',
          'UNAUTHENTICATED',
          401,
        ],
        ['{ customers(after: "nonsense") { nodes { id } } }', 'INVALID_REQUEST', 400],
        ['{ nonsense }', 'INVALID_REQUEST', 400],
        ['{', 'INVALID_REQUEST', 400],
        ['query($id: ID!) { customer(id: $id) { id } }', 'INVALID_REQUEST', 400],
      ];
      for (const [query, code, status] of cases) {
        const answer = await app.graphql(query, {}, { 'x-request-id': 'my-request' });
        const [error] = answer.errors;
        expect(error?.extensions, query).to.include({ code, status, requestId: 'my-request' });
        expect(answer.headers.get('x-request-id')).to.equal('my-request');
        expect(answer.headers.get('cache-control')).to.equal('no-store');
        expect(answer.text).to.not.match(/stacktrace|at [A-Za-z.]+ \(|node_modules/);
      }
    });

    it('states the place of a literal that is not valid, whatever its scalar', async () => {
      const made = 'createApp(idempotencyKey: "0123456789abcdef", input:';
      const claim = 'ingestClaim(idempotencyKey: "0123456789abcdef", input:';
      for (const [field, literal, message] of [
        [`${claim} { value:`, '[1]', 'must be a string, number, boolean, object, or array of strings'],
        [`${claim} { value:`, 'CRIME', 'must be a JSON value'],
        [`${claim} { observedAt:`, '"yesterday"', /^must be an RFC 3339 date-time/],
        [`${made} { scopes:`, '"nothing"', /^must be one of /],
        [`createCustomer(idempotencyKey: "x", input: { metadata:`, '"red"', 'must be an object'],
      ] as const) {
        const text = `mutation { ${field} ${literal} }) { __typename } }`;
        const { errors } = await app.graphql(text);
        const found = errors.find((error) =>
          typeof message === 'string' ? error.message === message : message.test(error.message),
        ) as Json;
        expect(found?.locations, text).to.deep.equal([{ line: 1, column: text.indexOf(literal) + 1 }]);
        expect(found.extensions.code, text).to.equal('INVALID_REQUEST');
      }
    });

    it('reports all problems of a body with their paths', async () => {
      const input = {
        customerId: '',
        purposes: [],
        termsVersion: 'x'.repeat(200),
        evidence: { ipAddress: 'x'.repeat(65) },
      };
      const answer = await app.graphql(
        'mutation($key: String!, $input: CreateConsentReceiptInput!) { createConsentReceipt(idempotencyKey: $key, input: $input) { id } }',
        { input },
      );
      expect(answer.data).to.deep.equal({ createConsentReceipt: null });
      const details: Json = answer.errors[0]?.extensions['details'];
      expect(details.map(({ field }: Json) => field)).to.have.members([
        'customerId',
        'purposes',
        'termsVersion',
        'evidence.ipAddress',
      ]);
    });

    it('reports internal errors without their cause', async () => {
      await service.sql('ALTER TABLE customers RENAME TO customers_gone');
      const [graphql, rest] = [
        await app.graphql('{ customers { nodes { id } } }'),
        await app.rest('GET', '/v1/customers'),
      ];
      await service.sql('ALTER TABLE customers_gone RENAME TO customers');
      expect(graphql.errors[0]?.extensions).to.include({ code: 'INTERNAL_ERROR', status: 500 });
      expect([rest.status, rest.body.error.code]).to.deep.equal([500, 'internal_error']);
      expect(graphql.text + rest.text).to.not.match(/relation|customers"? does|42P01|stack/);
    });
  });

  describe('with a partly denied operation', () => {
    it('returns null and an error for a field without its scope and answers the others', async () => {
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization');
      const narrow = await service.narrowed(app, 'customers:read', 'consent:read');
      const answer = await narrow.graphql(
        'query($id: ID!) { customer(id: $id) { id consentReceipts { nodes { id customer { externalId } } } resolvedProfile { customerId } claims { nodes { id } } } }',
        { id: customer },
      );
      expect(answer.status).to.equal(200);
      expect(answer.data.customer).to.deep.include({ id: customer, resolvedProfile: null, claims: null });
      expect(answer.data.customer.consentReceipts.nodes[0].id).to.equal(receipt);
      expect(
        answer.errors.map(({ path, extensions }) => [
          path?.join('.'),
          extensions['code'],
          extensions['status'],
          extensions['missingScopes'],
        ]),
      ).to.deep.equal([
        ['customer.resolvedProfile', 'INSUFFICIENT_SCOPE', 403, ['profile:read']],
        ['customer.claims', 'INSUFFICIENT_SCOPE', 403, ['claims:read']],
      ]);
    });

    it('reads through nested fields no more than REST does', async () => {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization');
      const profileOnly = await service.narrowed(app, 'profile:read');
      const back = await profileOnly.graphql(
        'query($id: ID!) { resolvedProfile(customerId: $id) { customerId customer { externalId } } }',
        { id: customer },
      );
      expect(back.data.resolvedProfile).to.deep.equal({ customerId: customer, customer: null });
      expect(codes(back)).to.deep.equal(['INSUFFICIENT_SCOPE']);
      const bulk = await profileOnly.graphql(
        'query($ids: [ID!]!) { profiles(customerIds: $ids) { customerId } }',
        {
          ids: [customer],
        },
      );
      expect(bulk.errors[0]?.extensions['missingScopes']).to.deep.equal(['profiles:read']);
      const other = await service.makeApp();
      const foreign = await other.graphql(
        'query($id: ID!) { customer(id: $id) { id } resolvedProfile(customerId: $id) { customerId } profiles(customerIds: [$id]) { customerId } claims(customerId: $id) { nodes { id } } effectiveConsent(customerId: $id) { customerId } }',
        { id: customer },
      );
      expect(foreign.data).to.deep.equal({
        customer: null,
        resolvedProfile: null,
        profiles: [null],
        claims: null,
        effectiveConsent: null,
      });
      expect(new Set(codes(foreign))).to.deep.equal(new Set(['NOT_FOUND']));
    });

    it('answers the other customers when one is unknown or has a closed purpose', async () => {
      const [open, closed] = [await makeCustomer(app), await makeCustomer(app)];
      await grant(app, open, 'personalization');
      await revoke(app, await grant(app, closed, 'personalization'));
      await sendClaims(app, claimBody(open));
      const query =
        'query($ids: [ID!]!) { profiles(customerIds: $ids, consentPurpose: PERSONALIZATION) { customerId facts { resolvedValue } } }';
      const { data, errors } = await app.graphql(query, { ids: [closed, open, 'cus_nobody', open] });
      expect(data.profiles).to.deep.equal([
        null,
        { customerId: open, facts: [{ resolvedValue: 'crime' }] },
        null,
        { customerId: open, facts: [{ resolvedValue: 'crime' }] },
      ]);
      expect(
        errors.map(({ path, extensions }) => [path, extensions['code'], extensions['purpose']]),
      ).to.deep.equal([
        [['profiles', 0], 'CONSENT_DENIED', 'PERSONALIZATION'],
        [['profiles', 2], 'NOT_FOUND', undefined],
      ]);
    });
  });
});
