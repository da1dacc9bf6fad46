import { expect } from 'chai';
import { getIntrospectionQuery, graphqlSync, Kind, parse } from 'graphql';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { MAX_COST, operationCost } from '../../src/execution/operationCost.js';
import type { Cost } from '../../src/execution/operationCost.js';

describe('The cost of introspection', () => {
  const schema = buildGuardedSchema();

  function costOf(text: string, variables: Record<string, unknown> = {}): Cost {
    const document = parse(text);
    const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation.');
    return operationCost(schema, document, definition).of(variables);
  }

  /** The fields and objects of an answer. */
  function sizeOf(value: unknown): { fields: number; objects: number } {
    const size = { fields: 0, objects: 0 };
    if (typeof value !== 'object' || value === null) return size;
    if (!Array.isArray(value)) {
      size.objects = 1;
      size.fields = Object.keys(value).length;
    }
    for (const item of Object.values(value)) {
      const inner = sizeOf(item);
      size.fields += inner.fields;
      size.objects += inner.objects;
    }
    return size;
  }

  const EVERYTHING = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });

  it('is what graphql-js resolves and shows', () => {
    for (const [text, variables] of [
      [getIntrospectionQuery(), {}],
      [EVERYTHING, {}],
      ['{ __schema { __typename queryType { name } directives { name locations args { name } } } }', {}],
      [
        '{ a: __type(name: "Query") { ...F ...F } } fragment F on __Type { fields { name args { name } } }',
        {},
      ],
      [
        'query ($name: String!) { __type(name: $name) { fields { type { ofType { kind } } } } }',
        { name: 'App' },
      ],
      ['query ($name: String! = "Node") { __type(name: $name) { possibleTypes { name } } }', {}],
      [
        '{ ... { ...F } __type(name: "Nothing") { name } } fragment F on Query { __schema { types { ... on __Type { name } } } }',
        {},
      ],
    ] as const) {
      const { data } = graphqlSync({ schema, source: text, variableValues: variables });
      const { fields, objects } = sizeOf(data);
      const expected = { fields, resources: objects - 1, introspected: objects - 1 };
      expect(costOf(text, variables), text).to.deep.equal(expected);
    }
  });

  it('of the whole schema is within the limit, as tools ask for it', () => {
    expect(costOf(EVERYTHING).fields).to.be.within(10_000, MAX_COST);
  });

  it('is infinite above the limit, however deep or often the schema is asked for', () => {
    const aliases = Array.from({ length: 15 }, (_, index) => `a${index}: __schema { types { ...T } }`);
    const type = 'fragment T on __Type { fields { args { name } type { name fields { name } } } }';
    const deep = `{ __schema { types { fields { type { ...G ofType { ...G ofType { ...G ofType { ...G } } } } } } } }
      fragment G on __Type { name kind description enumValues { name description }
        fields { name description isDeprecated args { name type { name kind ofType { name kind } } }
          type { name kind description ofType { name kind ofType { name kind } } } } }`;
    for (const text of [`{ ${aliases.join(' ')} } ${type}`, deep])
      expect(costOf(text).fields, text).to.equal(Infinity);
    expect(costOf(`{ ${aliases[0]} } ${type}`).fields).to.be.below(MAX_COST);
  });

  it('counts conditions below it as met, and no name but a text', () => {
    const some = '{ __schema { types @include(if: false) { name } } }';
    expect(costOf(some).fields).to.equal(costOf('{ __schema { types { name } } }').fields);
    const named = 'query ($name: String!) { __type(name: $name) { name } }';
    for (const name of [{ toString: 1 }, ['Query'], 7, null])
      expect(costOf(named, { name }).fields, JSON.stringify(name)).to.equal(1);
  });
});
