import { expect } from 'chai';
import {
  buildSchema,
  getIntrospectionQuery,
  graphqlSync,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  validateSchema,
} from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import { FIELDS, TYPES } from '../../schema/descriptions/items.js';
import { accessOf } from '../../src/access/FieldAccess.js';

interface Item {
  place: string;
  description: string | null | undefined;
}

/** Every type, field, argument, value and directive of a schema. */
function itemsOf(schema: GraphQLSchema): Item[] {
  const items: Item[] = [];
  const add = (place: string, { description }: { description?: string | null | undefined }): void => {
    items.push({ place, description });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    add(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field);
      if ('args' in field) for (const arg of field.args) add(`${type.name}.${field.name}(${arg.name}:)`, arg);
    }
  }
  for (const directive of schema.getDirectives().filter((one) => !isSpecifiedDirective(one))) {
    add(`@${directive.name}`, directive);
    for (const arg of directive.args) add(`@${directive.name}(${arg.name}:)`, arg);
  }
  return items;
}

describe('the schema of the service', () => {
  it('is valid, which no start checks', () => {
    const schema = buildServiceSchema(resolverClasses);
    expect(validateSchema(schema)).to.deep.equal([]);
    expect(graphqlSync({ schema, source: getIntrospectionQuery() }).errors).to.equal(undefined);
  });
});

describe('the descriptions of the schema', () => {
  const schema = buildServiceSchema(resolverClasses);
  const places = new Set(itemsOf(schema).map(({ place }) => place));

  it('are complete: missing ones belong beside the definition or in schema/descriptions', () => {
    const printed = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
    for (const one of [schema, printed]) {
      const undescribed = itemsOf(one).filter(({ description }) => !description?.trim());
      expect(undescribed.map(({ place }) => place)).to.deep.equal([]);
    }
  });

  it('are sentences', () => {
    const loose = itemsOf(schema).filter(
      ({ description }) => !/^[A-Z`“"*0-9].*[.:)]$/s.test(description ?? ''),
    );
    expect(loose.map(({ place, description }) => `${place}: ${description ?? ''}`)).to.deep.equal([]);
  });

  it('name the scopes and the gate of every guarded field', () => {
    for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
      for (const field of Object.values(type.getFields())) {
        const access = accessOf(schema, field);
        const place = `${type.name}.${field.name}`;
        for (const scope of access?.scopes?.flat() ?? [])
          expect(field.description, place).to.include(`\`${scope}\``);
        if (access?.consent) expect(field.description, place).to.include('consent gate');
      }
  });

  it('describe nothing that does not exist', () => {
    const names = new Set([...places].map((place) => place.replace(/^.*\./, '')));
    const stale = [
      ...Object.keys(TYPES).filter((name) => !places.has(name)),
      ...Object.keys(FIELDS).filter((name) => !names.has(name)),
    ];
    expect(stale).to.deep.equal([]);
  });
});
