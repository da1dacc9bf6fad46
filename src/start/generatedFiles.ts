import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';
import { buildOpenApi } from '../../rest-bridge/openapi/buildOpenApi.js';
import { findBreaks } from '../../rest-bridge/openapi/findBreaks.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { routesByField } from '../../rest-bridge/routesByField.js';
import { printAccess } from '../../schema/printAccess.js';
import { printChanges } from '../../schema/printChanges.js';
import type { Contracts } from '../../schema/printChanges.js';
import { printErrors } from '../../schema/printErrors.js';
import { printServiceSchema } from '../../schema/printServiceSchema.js';
import { buildGuardedSchema } from './buildGuardedSchema.js';

type GeneratedFile =
  'schema/schema.graphql' | 'schema/access.md' | 'schema/openapi.json' | 'docs/errors.md' | 'docs/changes.md';

/** The contracts of the first version. No later version may break them. */
export function firstContracts(): Contracts {
  return {
    sdl: readFileSync('schema/baseline/schema.graphql', 'utf8'),
    openApi: readFileSync('schema/baseline/openapi.json', 'utf8'),
  };
}

/** The generated files and their current contents; paths are relative to the project's root. */
export function generatedFiles(): Record<GeneratedFile, string> {
  const schema = buildGuardedSchema();
  const sdl = printServiceSchema(schema);
  const openApi = `${JSON.stringify(buildOpenApi(schema, allRoutes, 'https://api.consent-profile.test'), null, 2)}\n`;
  return {
    'schema/schema.graphql': sdl,
    'schema/access.md': printAccess(schema, routesByField(allRoutes)),
    'schema/openapi.json': openApi,
    'docs/errors.md': printErrors(),
    'docs/changes.md': printChanges(firstContracts(), { sdl, openApi }),
  };
}

/**
 * What the current schema removes from a kept one: both interfaces may only grow
 * (docs/contract.md#versioning).
 */
export function incompatibilities(keptSdl: string, keptOpenApi: string): string[] {
  const files = generatedFiles();
  const sdl = findBreakingChanges(buildSchema(keptSdl), buildSchema(files['schema/schema.graphql'])).map(
    ({ description }) => description,
  );
  return [...sdl, ...findBreaks(JSON.parse(keptOpenApi), JSON.parse(files['schema/openapi.json']))];
}
