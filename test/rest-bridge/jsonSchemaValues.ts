import fc from 'fast-check';

export type Schema = Record<string, unknown>;

const MAX_LENGTH = 40;
const MAX_ITEMS = 4;

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-01-02T03:04:05.000Z', '2025-12-31T23:59:59+01:00'],
  uri: ['https://partner.example/callback', 'https://hooks.partner.example/in?x=1'],
};

/** Values that a JSON Schema of the document allows. */
export function valuesOf(schema: Schema, resolve: (ref: string) => Schema): fc.Arbitrary<unknown> {
  const inner = (one: unknown): fc.Arbitrary<unknown> => valuesOf(one as Schema, resolve);
  const { $ref, ...rest } = schema;
  if (typeof $ref === 'string') return inner({ ...resolve($ref), ...rest });
  const { enum: values, anyOf, oneOf, type, const: only } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map(inner));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => inner({ ...schema, type: one as unknown })));
  switch (type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({ min: numberOf(schema, 'minimum', -1000), max: numberOf(schema, 'maximum', 1000) });
    case 'number':
      return fc.double({
        min: numberOf(schema, 'minimum', -1000),
        max: numberOf(schema, 'maximum', 1000),
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const maxLength = Math.min(numberOf(schema, 'maxItems', MAX_ITEMS), MAX_ITEMS);
      return fc.array(inner(schema['items']), { minLength: numberOf(schema, 'minItems', 0), maxLength });
    }
    default:
      return objectsOf(schema, inner);
  }
}

function textsOf({ format, pattern, ...schema }: Schema): fc.Arbitrary<string> {
  const formatted = FORMATS[String(format)];
  if (formatted !== undefined) return fc.constantFrom(...formatted);
  const [minLength, maxLength] = [
    numberOf(schema, 'minLength', 0),
    numberOf(schema, 'maxLength', MAX_LENGTH),
  ];
  if (typeof pattern === 'string')
    return fc
      .stringMatching(new RegExp(pattern))
      .filter(({ length }) => length >= minLength && length <= Math.max(maxLength, minLength));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, MAX_LENGTH)) });
}

function objectsOf(schema: Schema, inner: (one: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = schema['properties'] as Record<string, unknown> | undefined;
  if (properties === undefined)
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(fc.boolean(), fc.nat()));
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)]));
  return fc.record(members, { requiredKeys: (schema['required'] ?? []) as string[] });
}

function numberOf(schema: Schema, name: string, otherwise: number): number {
  const value = schema[name];
  return typeof value === 'number' ? value : otherwise;
}

const WRONG = [null, 0, -1, 1.5, '', 'x'.repeat(5000), true, [], {}, [null], 'not a date', ['x', 1]];

/** The object with one member replaced, taken away or added: most often no longer what the schema allows. */
export function spoiled(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.nat(), fc.constantFrom(...WRONG), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, place, wrong, how]) => {
      if (typeof value !== 'object' || value === null) return wrong;
      const names = Object.keys(value);
      const name = names[place % Math.max(names.length, 1)];
      if (how === 'add' || name === undefined) return { ...value, surely_unknown: wrong };
      if (how === 'replace') return { ...value, [name]: wrong };
      return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    });
}
