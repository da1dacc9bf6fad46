import 'reflect-metadata';
import { specifiedDirectives } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import type { NonEmptyArray } from 'type-graphql';
import { accessDirectives } from './directives.js';

/** The one schema behind both doors, still without its guards. */
export function buildServiceSchema(resolvers: NonEmptyArray<new () => object>): GraphQLSchema {
  return buildSchemaSync({
    resolvers,
    directives: [...specifiedDirectives, ...accessDirectives],
    validate: false,
    nullableByDefault: false,
    emitSchemaFile: false,
  });
}
