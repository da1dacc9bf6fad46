import { expect } from 'chai';
import { Kind, parse } from 'graphql';
import type { VariableDefinitionNode } from 'graphql';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { variableErrors } from '../../src/graphql/variableErrors.js';

describe('errors of variables', () => {
  const schema = buildGuardedSchema();

  function definitionsOf(query: string): readonly VariableDefinitionNode[] {
    const [definition] = parse(query).definitions;
    return (definition?.kind === Kind.OPERATION_DEFINITION && definition.variableDefinitions) || [];
  }

  const messagesOf = (query: string, variables: Record<string, unknown>): string[] =>
    (variableErrors(schema, definitionsOf(query), variables) ?? []).map(({ message }) => message);

  const MUTATION = 'mutation ($input: CreateCustomerInput!) { __typename }';

  it('are found with one look at an input object, however many of its members are unknown', () => {
    let looks = 0;
    const members = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`unknown${index}`, 1]));
    const input = new Proxy(
      { externalId: 'x', ...members },
      {
        ownKeys: (target) => {
          looks += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    const messages = messagesOf(MUTATION, { input });
    expect(messages).to.have.length(51);
    expect(messages.at(-1)).to.match(/^At least 950 more problems/);
    expect(looks).to.equal(1);
  });

  it('name the place and the problem, not the value', () => {
    const input = { externalId: 'x', profile: { username: ['y'], card: '4111' }, nope: 1 };
    expect(messagesOf(MUTATION, { input })).to.deep.equal([
      'Variable "$input" got invalid value at "input.profile.username"; String cannot represent a non string value: ["y"]',
      'Variable "$input" got invalid value at "input.profile"; Field "card" is not defined by type "CustomerProfileInput".',
      'Variable "$input" got invalid value; Field "nope" is not defined by type "CreateCustomerInput".',
    ]);
  });

  it('are those of all variables, counted together', () => {
    const query = 'query ($ids: [ID!]!, $first: Int, $more: [ID!], $key: String!) { __typename }';
    expect(messagesOf(query, { ids: ['a', null], first: 'x' })).to.deep.equal([
      'Variable "$ids" got invalid value at "ids[1]"; Expected non-nullable type "ID!" not to be null.',
      'Variable "$first" got invalid value; Int cannot represent non-integer value: "x"',
      'Variable "$key" of required type "String!" was not provided.',
    ]);
    const many = messagesOf(query, { ids: Array(40).fill({}), more: Array(40).fill({}), key: null });
    expect(many).to.have.length(51);
    expect(many.at(-1)).to.equal('31 more problems of the variables are left out.');
  });

  it('are none of variables that are valid, absent or null where they may be', () => {
    const query = 'query ($id: ID!, $first: Int, $order: ListOrder = NEWEST_FIRST) { __typename }';
    for (const variables of [{ id: 'x' }, { id: 'x', first: null }, { id: 'x', first: 1, other: 1 }])
      expect(variableErrors(schema, definitionsOf(query), variables)).to.equal(undefined);
  });
});
