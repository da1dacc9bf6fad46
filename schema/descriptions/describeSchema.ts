import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLArgument, GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { accessOf } from '../../src/access/FieldAccess.js';
import { describeAccess } from './describeAccess.js';
import { ARGUMENTS, FIELDS, TYPES } from './items.js';

type Described = { description?: string | null | undefined };

/**
 * Adds the missing descriptions from the vocabulary, where a name has one meaning in all types. Adds to every
 * guarded field who may use it, according to its directives.
 */
export function describeSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (!type.name.startsWith('__')) describeType(schema, type);
  for (const directive of schema.getDirectives()) directive.args.forEach(describeArgument);
  return schema;
}

function describeType(schema: GraphQLSchema, type: GraphQLNamedType): void {
  fill(type, TYPES[type.name]);
  if (isInputObjectType(type))
    for (const field of Object.values(type.getFields())) fill(field, FIELDS[field.name]);
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  for (const field of Object.values(type.getFields())) {
    fill(field, FIELDS[field.name]);
    field.args.forEach(describeArgument);
    addAccess(schema, field);
  }
}

function describeArgument(argument: GraphQLArgument): void {
  fill(argument, ARGUMENTS[argument.name]);
}

function addAccess(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): void {
  const access = accessOf(schema, field);
  if (access === undefined) return;
  field.description = [field.description, describeAccess(access)].filter((part) => part).join(' ');
}

function fill(item: Described, description: string | undefined): void {
  if (!item.description && description !== undefined) item.description = description;
}
