import { buildSchema, findBreakingChanges } from 'graphql';
import { buildOpenApi } from '../rest-bridge/openapi/buildOpenApi.js';
import { findBreaks } from '../rest-bridge/openapi/findBreaks.js';
import { allRoutes } from '../rest-bridge/routes/allRoutes.js';
import { routesByField } from '../rest-bridge/routesByField.js';
import { printAccess } from '../schema/printAccess.js';
import { printErrors } from '../schema/printErrors.js';
import { printServiceSchema } from '../schema/printServiceSchema.js';
import { buildGuardedSchema } from './buildGuardedSchema.js';

type GeneratedFile = 'schema/schema.graphql' | 'schema/access.md' | 'schema/openapi.json' | 'docs/errors.md';

/** The generated files and what they should say now; paths from the project's root. */
export function generatedFiles(): Record<GeneratedFile, string> {
  const schema = buildGuardedSchema();
  return {
    'schema/schema.graphql': printServiceSchema(schema),
    'schema/access.md': printAccess(schema, routesByField(allRoutes)),
    'schema/openapi.json': `${JSON.stringify(buildOpenApi(schema, allRoutes, 'https://api.example.com'), null, 2)}\n`,
    'docs/errors.md': printErrors(),
  };
}

/** What the schema of now takes away from the one that was kept: both interfaces only grow (decisions 19). */
export function incompatibilities(keptSdl: string, keptOpenApi: string): string[] {
  const files = generatedFiles();
  const sdl = findBreakingChanges(buildSchema(keptSdl), buildSchema(files['schema/schema.graphql'])).map(
    ({ description }) => description,
  );
  return [...sdl, ...findBreaks(JSON.parse(keptOpenApi), JSON.parse(files['schema/openapi.json']))];
}
