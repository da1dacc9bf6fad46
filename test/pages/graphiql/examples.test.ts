import { expect } from 'chai';
import { coerceInputValue, parse, typeFromAST, validate } from 'graphql';
import type { GraphQLInputType, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { resolverClasses } from '../../../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../../../schema/buildServiceSchema.js';
import { EXAMPLES } from '../../../src/pages/graphiql/examples.js';

describe("GraphiQL's examples", () => {
  let schema: GraphQLSchema;

  before(() => {
    schema = buildServiceSchema(resolverClasses);
  });

  for (const { name, query, variables } of EXAMPLES) {
    it(`fits the schema, with its variables: ${name.en}`, () => {
      const document = parse(query);
      expect(validate(schema, document).map(({ message }) => message)).to.deep.equal([]);
      const operation = document.definitions[0] as OperationDefinitionNode;
      const declared = operation.variableDefinitions ?? [];
      expect(declared.map(({ variable }) => variable.name.value)).to.include.members(Object.keys(variables));
      for (const { variable, type } of declared) {
        const inputType = typeFromAST(schema, type as never) as GraphQLInputType;
        coerceInputValue(variables[variable.name.value], inputType, (_path, _value, error) => {
          throw error;
        });
      }
    });
  }

  it('begins with one that needs no variables, for the first tab', () => {
    expect(EXAMPLES.some(({ variables }) => Object.keys(variables).length === 0)).to.equal(true);
  });
});
