import 'reflect-metadata';
import { GraphQLSchema } from 'graphql';
import type { GraphQLEnumType } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import type { NonEmptyArray, PubSub } from 'type-graphql';
import { describeSchema } from './descriptions/describeSchema.js';
import { accessDirectives } from './directives.js';
import { inheritBounds } from './inheritBounds.js';

/** TypeGraphQL requires one. It is not used: the database signals changes to subscriptions (`src/live`). */
const NO_PUB_SUB: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('Nothing is published within the process.');
  },
};

/** Builds the schema for REST and GraphQL, without its guards. */
export function buildServiceSchema(resolvers: NonEmptyArray<new () => object>): GraphQLSchema {
  // Fields are plain members of resolved values, so TypeGraphQL needs no resolvers for them.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers = true;
  // A test checks the schema, so no start has to.
  const unchecked = { validate: false, emitSchemaFile: false, skipCheck: true };
  const schema = buildSchemaSync({ resolvers, ...unchecked, pubSub: NO_PUB_SUB });
  // The directives use an enum that TypeGraphQL creates, so they are added afterwards.
  const directives = accessDirectives(schema.getType('ConsentPurpose') as GraphQLEnumType);
  const whole = new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...schema.getDirectives(), ...directives],
  });
  return describeSchema(inheritBounds(whole));
}
