import { isInputObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

/** Copies the bounds of fields to the input types that inherit them. TypeGraphQL copies only the types. */
export function inheritBounds(schema: GraphQLSchema): GraphQLSchema {
  const { inputTypes, fieldExtensions } = getMetadataStorage();
  for (const { name, target } of inputTypes) {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) continue;
    for (const { target: owner, fieldName, extensions } of fieldExtensions) {
      const field = type.getFields()[fieldName];
      if (field === undefined || !Object.prototype.isPrototypeOf.call(owner, target)) continue;
      field.extensions = { ...extensions, ...field.extensions };
    }
  }
  return schema;
}
