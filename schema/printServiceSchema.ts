import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';

const HEADER =
  '# Made by `npm run schema:print` from schema/ and resolvers/; a test fails when it is out of date.\n\n';

/** The SDL with its applied directives, sorted, so that a review shows what changed. */
export function printServiceSchema(schema: GraphQLSchema): string {
  return `${HEADER}${printSchemaWithDirectives(lexicographicSortSchema(schema))}\n`;
}
