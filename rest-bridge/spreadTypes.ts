import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { accessOf } from '../src/access/FieldAccess.js';

/**
 * Replaces `...Type` in a selection by all plain members of the type: those without arguments and without a
 * guard.
 */
export function spreadTypes(schema: GraphQLSchema, selection: string): string {
  return selection.replace(/\.\.\.(\w+)/g, (_, name: string) => membersOf(schema, schema.getType(name)));
}

function membersOf(schema: GraphQLSchema, type: GraphQLNamedType | undefined): string {
  if (!isObjectType(type)) throw new Error(`A route spreads ${type?.name ?? 'a type'} that has no members.`);
  const fields: GraphQLField<unknown, unknown>[] = Object.values(type.getFields());
  return fields
    .filter((field) => field.args.length === 0 && accessOf(schema, field) === undefined)
    .map((field) => {
      const below = getNamedType(field.type);
      return isObjectType(below) ? `${field.name} { ${membersOf(schema, below)} }` : field.name;
    })
    .join(' ');
}
