import { expect } from 'chai';
import fc from 'fast-check';
import type { GraphQLEnumType, GraphQLInputField, GraphQLInputType } from 'graphql';
import {
  coerceInputValue,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import { constraintsOf } from '../../src/access/constrained.js';
import { coercedSpelling, readShape, restSpelling } from '../../src/access/inputShape.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';

const schema = buildServiceSchema(resolverClasses);
const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);

/** Hostile JSON: what `JSON.parse` can give, with text that databases choke on and nesting. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\ud800', '__proto__', 'constructor', 'toString', '', ' ', '9'.repeat(400)),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.double(),
    fc.constantFrom(null, true, 1e308, -0, Infinity, 2 ** 53),
    fc.array(tie('json'), { maxLength: 6 }),
    fc.dictionary(text, tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

type Fields = Record<string, unknown>;

/**
 * What the types do not say: two names for the same scopes must agree, fields of an ontology have different
 * names and its identity is among them, and a webhook endpoint without events names its URL too.
 */
const RULES_AMONG_FIELDS: Readonly<Record<string, (value: Fields) => Fields>> = {
  CreateAppInput: ({ scopes: _alias, ...rest }) => ({ allowed_scopes: ['apps:read'], ...rest }),
  PutOntologyInput: ({ fields, ...rest }) => ({
    ...rest,
    fields: (fields as Fields[]).map((field, index) => ({ ...field, name: `name${index}` })),
    identity_fields: [],
  }),
  RegisterWebhookEndpointInput: (value) => ({ url: 'https://partner.example/x', ...value }),
};

/** A value of the type that its bounds allow, in the REST spelling; hostile in no way. */
function validValue(type: GraphQLInputType, field?: GraphQLInputField): fc.Arbitrary<unknown> {
  const bounds = (field && constraintsOf(field)) ?? {};
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return fc.array(validValue(nullable.ofType, field), {
      minLength: bounds.minItems ?? 0,
      maxLength: Math.min(bounds.maxItems ?? 4, 4),
    });
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields());
    const requiredKeys = fields
      .filter((known) => isNonNullType(known.type))
      .map(({ name }) => restSpelling.nameOf(name));
    const record = fc.record(
      Object.fromEntries(
        fields.map((known) => [restSpelling.nameOf(known.name), validValue(known.type, known)]),
      ),
      { requiredKeys, noNullPrototype: true },
    );
    return record.map(RULES_AMONG_FIELDS[nullable.name] ?? ((value) => value));
  }
  if (isEnumType(nullable))
    return fc.constantFrom(...nullable.getValues().map(({ value }) => value as string));
  switch ('name' in nullable ? nullable.name : '') {
    case 'Boolean':
      return fc.boolean();
    case 'Int':
      return fc.integer({ min: bounds.minimum ?? -5, max: bounds.maximum ?? 5 });
    case 'Float':
      return fc.double({ min: bounds.minimum ?? -9, max: bounds.maximum ?? 9, noNaN: true });
    case 'Scope':
      return fc.constantFrom(...ALL_SCOPES);
    case 'DateTime':
      return fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'JSONObject':
      return fc.dictionary(fc.constantFrom('a', 'b', 'kind'), fc.oneof(fc.boolean(), fc.constant('x')), {
        noNullPrototype: true,
      });
    case 'AttributeValue':
      return fc.constantFrom('crime', 1, true, { a: [1] }, ['a', 'b']);
    default:
      if (field?.name === 'enabledEvents') return fc.constantFrom('*', 'consent.granted');
      return bounds.check === undefined || field?.name.match(/username|bio|city|state|country|metro/i)
        ? fc.constant('abcdefghij')
        : fc.constant('https://partner.example/x');
  }
}

describe('inputShape', () => {
  it('never throws and names the path of every problem, for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...inputs), json, async (type, sent) => {
        for (const spelling of [restSpelling, coercedSpelling]) {
          for (const { code, message, field } of (await readShape(type, sent, spelling)).problems) {
            expect([code, message].every((part) => part.length > 0)).to.equal(true);
            expect(field === undefined || field.length > 0 || sent !== null).to.equal(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never throws when any one part of a valid body is replaced by any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...inputs)
          .chain((type) => fc.tuple(fc.constant(type), validValue(type), fc.nat(), json)),
        async ([type, valid, pick, hostile]) => {
          const body = valid as Record<string, unknown>;
          const names = Object.keys(type.getFields()).map(restSpelling.nameOf);
          const name = names[pick % names.length] ?? '';
          const shape = await readShape(type, { ...body, [name]: hostile }, restSpelling);
          const foreign = shape.problems.filter(({ field = '' }) => field.split(/[.[]/)[0] !== name);
          expect(foreign.map(({ field }) => field)).to.deep.equal([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('converts valid bodies to what GraphQL accepts, without loss', async () => {
    const simple = inputs.filter(({ name }) => !/Entry|Ontology|Webhook/.test(name));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...simple).chain((type) => fc.tuple(fc.constant(type), validValue(type))),
        async ([type, body]) => {
          const { problems, value } = await readShape(type, body, restSpelling);
          expect(problems).to.deep.equal([]);
          expect(Object.keys(value as object)).to.have.members(
            Object.values(type.getFields())
              .map(({ name }) => name)
              .filter((name) => (body as Record<string, unknown>)[restSpelling.nameOf(name)] !== undefined),
          );
          coerceInputValue(value, type, (path, _invalid, error) => {
            throw new Error(`${path.join('.')}: ${error.message}`);
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reports all problems at once, each with the path to it', async () => {
    const type = inputs.find(({ name }) => name === 'CreateConsentReceiptInput');
    if (type === undefined) throw new Error('There is no such input.');
    const body = {
      purposes: ['analytics', 'spying', 7],
      terms_version: '',
      evidence: { ip_address: 1, collected_at: 'soon' },
      x: 1,
    };
    const { problems } = await readShape(type, body, restSpelling);
    expect(problems.map(({ field, code }) => `${field}: ${code}`)).to.have.members([
      'customer_id: required',
      'purposes[1]: invalid_value',
      'purposes[2]: invalid_value',
      'terms_version: too_short',
      'evidence.ip_address: invalid_type',
      'evidence.collected_at: invalid_value',
      'x: unknown_field',
    ]);
  });

  it('tells a value of another JSON type from one that is not allowed', async () => {
    const problemsOf = async (name: string, body: object): Promise<string[]> => {
      const type = inputs.find((input) => input.name === name);
      if (type === undefined) throw new Error('There is no such input.');
      const { problems } = await readShape(type, body, restSpelling);
      return problems.map(({ field, code }) => `${field}: ${code}`);
    };
    for (const metadata of [[], 'x', 1, true])
      expect(await problemsOf('CreateCustomerInput', { external_id: 'x', metadata })).to.deep.equal([
        'metadata: invalid_type',
      ]);
    expect(await problemsOf('IngestClaimInput', { value: ['a', 1], observed_at: 1 })).to.include.members([
      'value: invalid_type',
      'observed_at: invalid_type',
    ]);
    expect(await problemsOf('IngestClaimInput', { observed_at: 'soon' })).to.include(
      'observed_at: invalid_value',
    );
  });

  it('spells every enum value in lower case for REST, and back', () => {
    const enums = Object.values(schema.getTypeMap()).filter(
      (type): type is GraphQLEnumType => isEnumType(type) && !type.name.startsWith('__'),
    );
    for (const type of enums) {
      for (const { name, value } of type.getValues()) {
        expect(String(value).toUpperCase().replaceAll('.', '_')).to.equal(name);
        expect(restSpelling.enumResult(type, restSpelling.enumValue(type, value))).to.equal(name);
        expect(restSpelling.enumValue(type, name)).to.equal(undefined);
      }
    }
  });
});
