import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { Answer } from '../support/TestPartner.js';
import { spoiled, valuesOf } from './jsonSchemaValues.js';
import type { Schema } from './jsonSchemaValues.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

type Content = Record<string, { schema: Schema }>;

/** What the document says of one operation. */
export interface DocumentedOperation {
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

/** A request as it was made up: a query, and a JSON body or the fields of a form. */
export interface MadeRequest {
  query: [string, string][];
  body: unknown;
}

/** Codes of a shape that does not fit, which the document tells before the service does. */
const OF_SHAPE = new Set(['unknown_field', 'too_few_items', 'too_many_items', 'too_short', 'out_of_range']);

/** Members whose inside an ontology describes, or another rule than the document's. */
const OF_RULES = /^(fields|value|metadata|evidence|allowed_scopes|scopes|identity_fields|ontology_id)\b/;

/**
 * Refusals of a query that no schema can say: a cursor of another list, an order that the filters leave no
 * index for.
 */
const OF_LISTS = new Set(['invalid_cursor', 'unsupported_order']);

/**
 * Makes requests up from an OpenAPI document, and holds what the service answers against it, in both
 * directions.
 */
export class DocumentFuzzer {
  readonly document: OpenApiDocument;
  private readonly ajv = new Ajv2020.default({ strict: false, allErrors: true });

  constructor(document: OpenApiDocument) {
    this.document = document;
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, 'openapi');
  }

  /** @throws Error where the document does not have it */
  operation(method: string, path: string): DocumentedOperation {
    const found = this.document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`${method} ${path} is not in the document.`);
    return found;
  }

  /**
   * Fails at the first answer that the document does not describe, or verdict that is not the document's.
   *
   * @param prepare takes out of a body what no schema can say
   */
  async fuzz(
    operation: DocumentedOperation,
    runs: number,
    send: (request: MadeRequest) => Promise<Answer>,
    prepare: (body: unknown) => unknown = (body) => body,
  ): Promise<void> {
    const { query, required } = this.queryOf(operation);
    const { schema, isForm } = bodyOf(operation);
    await fc.assert(
      fc.asyncProperty(this.requestsOf(query, required, schema, isForm), async (made) => {
        const request = { ...made, body: prepare(made.body) };
        const answer = await send(request);
        this.checkAnswer(operation, answer);
        const given = new Set(request.query.map(([name]) => name));
        const isAllowed =
          required.every((name) => given.has(name)) &&
          request.query.every(([name, text]) => this.allows(query[name] ?? {}, parsed(name, text))) &&
          (schema === undefined || this.allows(schema, request.body));
        checkVerdict(isAllowed, answer);
      }),
      { numRuns: runs },
    );
  }

  /** @throws Error where the document describes no such answer */
  checkAnswer({ responses }: DocumentedOperation, answer: Answer): void {
    const documented = responses[String(answer.status)] ?? responses['default'];
    if (documented === undefined) throw new Error(`${answer.status} is not documented: ${answer.text}`);
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const { content } = documented;
    // Pages for people are described in words only, where the answer has no other form.
    if (content === undefined && (answer.text === '' || type === 'text/html')) return;
    const schema = content?.[type]?.schema;
    if (schema === undefined) throw new Error(`${type} is not documented: ${answer.text}`);
    if (!this.allows(schema, answer.body)) throw new Error(`${this.ajv.errorsText()}: ${answer.text}`);
  }

  /** Whether the document allows the value; references are those of the document. */
  private allows(schema: Schema, value: unknown): boolean {
    const within = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;
    return this.ajv.validate(within, value);
  }

  private readonly resolve = (ref: string): Schema =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], this.document) as Schema;

  private queryOf({ parameters = [] }: DocumentedOperation): {
    query: Record<string, Schema>;
    required: string[];
  } {
    const named = parameters.map(({ $ref, ...own }) => ({
      ...($ref === undefined ? {} : this.resolve($ref)),
      ...own,
    }));
    const inQuery = named.filter((one) => one.in === 'query' && one.name !== 'fields');
    return {
      query: Object.fromEntries(inQuery.map(({ name = '', schema = {} }) => [name, schema])),
      required: inQuery.filter((one) => one.required === true).map(({ name = '' }) => name),
    };
  }

  private requestsOf(
    query: Record<string, Schema>,
    required: string[],
    schema: Schema | undefined,
    isForm: boolean,
  ): fc.Arbitrary<MadeRequest> {
    const texts = Object.entries(query).map(([name, one]) => [
      name,
      fc.oneof(
        { arbitrary: valuesOf(one, this.resolve), weight: 4 },
        { arbitrary: fc.constantFrom('', 'x', '0', '-1'), weight: 1 },
      ),
    ]);
    // Now and then without what is required.
    const members = Object.fromEntries(texts) as Record<string, fc.Arbitrary<unknown>>;
    const queries = fc.oneof(
      { arbitrary: fc.record(members, { requiredKeys: required }), weight: 4 },
      { arbitrary: fc.record(members, { requiredKeys: [] }), weight: 1 },
    );
    const bodies = schema && valuesOf(schema, this.resolve);
    return fc.record({
      query: queries.map((values) =>
        Object.entries(values).map(([name, value]) => [name, String(value)] as [string, string]),
      ),
      body:
        bodies === undefined
          ? fc.constant(undefined)
          : fc.oneof(bodies, spoiled(bodies)).map((body) => (isForm ? asForm(body) : body)),
    });
  }
}

function bodyOf({ requestBody }: DocumentedOperation): { schema: Schema | undefined; isForm: boolean } {
  const form = requestBody?.content[FORM_TYPE]?.schema;
  return { schema: form ?? requestBody?.content[JSON_TYPE]?.schema, isForm: form !== undefined };
}

/** A form holds nothing but texts. */
function asForm(body: unknown): Record<string, string> {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
}

function parsed(name: string, text: string): unknown {
  return name === 'limit' && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** What is allowed is not refused for its shape; what is not allowed is refused. */
function checkVerdict(isAllowed: boolean, { status, body, text }: Answer): void {
  if (!isAllowed) {
    // A batch refuses its items one by one, and a page sends the person back with the error.
    const isRefused = status === 202 ? body.rejected > 0 : status >= 303 && status < 500;
    if (!isRefused) throw new Error(`The document forbids it, and it was answered ${status}: ${text}`);
    return;
  }
  if (status >= 500) throw new Error(`It was answered ${status}: ${text}`);
  const { details = [], code } = (body?.error ?? {}) as {
    code?: string;
    details?: { code: string; field?: string }[];
  };
  const ofShape = details.filter((one) => OF_SHAPE.has(one.code) && !OF_RULES.test(one.field ?? ''));
  const isOfLists = details.some((one) => OF_LISTS.has(one.code));
  if (ofShape.length > 0 || (code === 'invalid_request' && !isOfLists))
    throw new Error(`The document allows it, and it was refused: ${text}`);
}
