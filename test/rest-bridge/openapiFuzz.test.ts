import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import type { Route } from '../../rest-bridge/Route.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { spoiled, valuesOf } from './jsonSchemaValues.js';
import type { Schema } from './jsonSchemaValues.js';
import { routeCases } from './routeCases.js';

const RUNS = process.env['PROOFS'] === 'long' ? 400 : 10;

/** What the document says of one operation. */
interface Operation {
  parameters: { $ref?: string; name?: string; in?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, { name: string; in: string; schema: Schema }> };
}

/** Codes of a shape that does not fit, which the document tells before the service does. */
const OF_SHAPE = new Set(['unknown_field', 'too_few_items', 'too_many_items', 'too_short', 'out_of_range']);

/** Members whose inside an ontology describes, or another rule than the document's. */
const OF_RULES = /^(fields|value|metadata|evidence|allowed_scopes|scopes|identity_fields|ontology_id)\b/;

describe('the OpenAPI document, held against the service', () => {
  let service: TestService;
  let document: Document;
  const ajv = new Ajv2020.default({ strict: false, allErrors: true });
  addFormats.default(ajv);

  before(async () => {
    service = await TestService.start();
    document = (await service.nobody.rest('GET', '/v1/openapi.json')).body as Document;
    ajv.addSchema(document, 'openapi');
  });
  after(() => service.stop());

  const resolve = (ref: string): Schema =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document) as Schema;

  /** Whether the document allows the value; references are those of the document. */
  function allows(schema: Schema, value: unknown): boolean {
    const within = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;
    return ajv.validate(within, value);
  }

  function operationOf(route: Route): Operation {
    const found = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    if (found === undefined) throw new Error(`${route.operation} is not in the document.`);
    return found;
  }

  function queryOf({ parameters }: Operation): Record<string, Schema> {
    const named = parameters.map(({ $ref, ...own }) => ({ ...($ref === undefined ? {} : resolve($ref)), ...own }));
    const inQuery = named.filter((one) => one.in === 'query' && one.name !== 'fields');
    return Object.fromEntries(inQuery.map(({ name = '', schema = {} }) => [name, schema]));
  }

  function checkAnswer({ responses }: Operation, answer: Answer): void {
    const documented = responses[String(answer.status)];
    expect(documented, `${answer.status} is not documented: ${answer.text}`).to.not.equal(undefined);
    const schema = documented?.content?.['application/json']?.schema;
    if (schema === undefined) expect(answer.text).to.equal('');
    else if (!allows(schema, answer.body)) throw new Error(`${ajv.errorsText()}: ${answer.text}`);
  }

  /** What is allowed is not refused for its shape; what is not allowed is refused. */
  function checkVerdict(isAllowed: boolean, answer: Answer): void {
    // A batch refuses its items one by one.
    if (!isAllowed && answer.status === 202) return void expect(answer.body.rejected, answer.text).to.be.above(0);
    if (!isAllowed) return void expect(answer.status, answer.text).to.be.within(400, 499);
    const { details = [], code } = (answer.body?.error ?? {}) as {
      code?: string;
      details?: { code: string; field?: string }[];
    };
    const ofShape = details.filter((one) => OF_SHAPE.has(one.code) && !OF_RULES.test(one.field ?? ''));
    expect(ofShape, answer.text).to.deep.equal([]);
    if (details.every(({ code: why }) => why !== 'invalid_cursor'))
      expect(code, answer.text).to.not.equal('invalid_request');
    expect(answer.status, answer.text).to.be.below(500);
  }

  for (const route of allRoutes)
    it(`${route.method} ${route.path} takes what it says and answers what it says`, async function () {
      this.timeout(RUNS * 2000);
      const routeCase = routeCases[route.operation];
      if (routeCase === undefined) throw new Error(`Add ${route.operation} to routeCases.ts.`);
      // Of its own: what is taken may change the app itself.
      const app = await service.makeApp();
      const by: TestPartner = routeCase.needs === 'admin' ? service.admin : app;
      const path = await routeCase.path(app, service);
      const operation = operationOf(route);
      const query = queryOf(operation);
      const schema = operation.requestBody?.content['application/json']?.schema;
      const texts = fc.record(
        Object.fromEntries(
          Object.entries(query).map(([name, one]) => [
            name,
            fc.oneof(
              { arbitrary: valuesOf(one, resolve), weight: 4 },
              { arbitrary: fc.constantFrom('', 'x', '0', '-1'), weight: 1 },
            ),
          ]),
        ),
        { requiredKeys: [] },
      );
      const bodies = schema && valuesOf(schema, resolve);
      const requests = fc.record({
        query: texts,
        body: bodies ? fc.oneof(bodies, spoiled(bodies)) : fc.constant(undefined),
      });
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const sent = Object.entries(request.query).map(([name, value]) => [name, String(value)] as [string, string]);
          const search = sent.length === 0 ? '' : `?${new URLSearchParams(sent).toString()}`;
          const answer = await by.rest(route.method, path + search, request.body);
          checkAnswer(operation, answer);
          const asParsed = ([name, text]: [string, string]): unknown =>
            name === 'limit' && /^-?\d+$/.test(text) ? Number(text) : text;
          const isAllowed =
            sent.every((one) => allows(query[one[0]] ?? {}, asParsed(one))) &&
            (schema === undefined || allows(schema, request.body));
          checkVerdict(isAllowed, answer);
        }),
        { numRuns: RUNS },
      );
    });
});
