import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { resolverClasses } from '../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../schema/buildServiceSchema.js';
import { guardSchema } from './access/guardSchema.js';

/** The schema that both doors run, with its guards. */
export function buildGuardedSchema(): GraphQLSchema {
  return guardSchema(buildServiceSchema(resolverClasses));
}
