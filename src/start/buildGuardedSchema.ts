import 'reflect-metadata';
import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import { guardSchema } from '../access/guardSchema.js';
import type { RequestContext } from '../access/RequestContext.js';
import { factsOf } from '../loaders/loadProfiles.js';

/** The schema that GraphQL and REST execute, with its guards. */
export function buildGuardedSchema(): GraphQLSchema {
  return guardSchema(withFactsInSlices(buildServiceSchema(resolverClasses)));
}

/** Set here and not by a resolver class: type-graphql would add work to every read of a profile. */
function withFactsInSlices(schema: GraphQLSchema): GraphQLSchema {
  const type = schema.getType('ResolvedProfile');
  const field = isObjectType(type) ? type.getFields()['facts'] : undefined;
  if (field === undefined) throw new Error('A profile has no facts.');
  field.resolve = (profile: ResolvedProfile, _args, context: RequestContext) => factsOf(context, profile);
  return schema;
}
