import 'reflect-metadata';
import { GraphQLSchema } from 'graphql';
import type { GraphQLEnumType } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import type { NonEmptyArray } from 'type-graphql';
import { accessDirectives } from './directives.js';

/** The one schema behind both doors, still without its guards. */
export function buildServiceSchema(resolvers: NonEmptyArray<new () => object>): GraphQLSchema {
  const schema = buildSchemaSync({ resolvers, validate: false, emitSchemaFile: false });
  // The directives name an enum that TypeGraphQL makes, so they join once it exists.
  const directives = accessDirectives(schema.getType('ConsentPurpose') as GraphQLEnumType);
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...schema.getDirectives(), ...directives] });
}
