import { expect } from 'chai';
import { isInputObjectType } from 'graphql';
import type { GraphQLInputFieldMap } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import { constraintsOf } from '../../src/access/constrained.js';

const schema = buildServiceSchema(resolverClasses);

function fieldsOf(name: string): GraphQLInputFieldMap | undefined {
  const type = schema.getType(name);
  return isInputObjectType(type) ? type.getFields() : undefined;
}

describe('an input type that inherits fields', () => {
  const { inputTypes } = getMetadataStorage();
  const pairs = inputTypes.flatMap((child) =>
    inputTypes
      .filter((parent) => Object.prototype.isPrototypeOf.call(parent.target, child.target))
      .map((parent) => ({ child: child.name, parent: parent.name })),
  );

  it('is found by this test', () => {
    expect(pairs).to.deep.include({ child: 'ReplaceEntryInput', parent: 'CreateEntryInput' });
    expect(constraintsOf(fieldsOf('CreateEntryInput')?.['entryName'] ?? {})?.maxLength).to.equal(500);
  });

  for (const { child, parent } of pairs) {
    it(`has the bounds of its parent: ${child} of ${parent}`, () => {
      for (const [name, field] of Object.entries(fieldsOf(parent) ?? {})) {
        const inherited = fieldsOf(child)?.[name];
        expect(inherited, name).to.not.equal(undefined);
        expect(constraintsOf(inherited ?? {}), name).to.equal(constraintsOf(field));
      }
    });
  }
});
