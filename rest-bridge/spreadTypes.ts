import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { memberName } from '../src/domain/door.js';
import { accessOf } from '../src/access/FieldAccess.js';

/**
 * A route's document with `...Type` replaced by every plain member of the type, in REST's spelling. A member
 * with arguments or a guard of its own is none.
 */
export function spreadTypes(schema: GraphQLSchema, document: string): string {
  return document.replace(/\.\.\.(\w+)/g, (_, name: string) => membersOf(schema, schema.getType(name)));
}

function membersOf(schema: GraphQLSchema, type: GraphQLNamedType | undefined): string {
  if (!isObjectType(type)) throw new Error(`A route spreads ${type?.name ?? 'a type'} that has no members.`);
  const fields: GraphQLField<unknown, unknown>[] = Object.values(type.getFields());
  return fields
    .filter((field) => field.args.length === 0 && accessOf(schema, field) === undefined)
    .map((field) => {
      const below = getNamedType(field.type);
      const member = `${memberName('rest', field.name)}: ${field.name}`;
      return isObjectType(below) ? `${member} { ${membersOf(schema, below)} }` : member;
    })
    .join(' ');
}
