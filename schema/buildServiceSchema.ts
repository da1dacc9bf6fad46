import 'reflect-metadata';
import { GraphQLSchema } from 'graphql';
import type { GraphQLEnumType } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import type { NonEmptyArray, PubSub } from 'type-graphql';
import { describeSchema } from './descriptions/describeSchema.js';
import { accessDirectives } from './directives.js';
import { inheritBounds } from './inheritBounds.js';

/** TypeGraphQL asks for one; subscriptions here are woken by the database (`src/live`). */
const NO_PUB_SUB: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('Nothing is published within the process.');
  },
};

/** The one schema behind both doors, still without its guards. */
export function buildServiceSchema(resolvers: NonEmptyArray<new () => object>): GraphQLSchema {
  // Fields are members of what a resolver gives: TypeGraphQL need not stand between.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers = true;
  const schema = buildSchemaSync({ resolvers, validate: false, emitSchemaFile: false, pubSub: NO_PUB_SUB });
  // The directives name an enum that TypeGraphQL makes, so they join once it exists.
  const directives = accessDirectives(schema.getType('ConsentPurpose') as GraphQLEnumType);
  const whole = new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...schema.getDirectives(), ...directives],
  });
  return describeSchema(inheritBounds(whole));
}
