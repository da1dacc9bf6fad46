import type { GraphQLSchema } from 'graphql';
import { VERSION } from '../../src/version.js';
import { SCOPES } from '../../src/domain/scopes.js';
import { compileRoute } from '../compileRoute.js';
import type { Route } from '../Route.js';
import { Components } from './Components.js';
import { errorExamples, errorSchemas } from './describeErrors.js';
import { oauthPaths, oauthSchemas } from './describeOauth.js';
import { describeOperation } from './describeOperation.js';
import { describeWebhooks } from './describeWebhooks.js';
import { headers, parameters } from './headers.js';
import type { JsonSchema } from './scalarSchema.js';
import { tags } from './tags.js';

const DESCRIPTION = `Partners connect accounts, record consent per purpose, send events and claims, and read consent-filtered
profiles with their provenance. Every operation is an operation of the GraphQL schema at \`/graphql\`, with the same guards.

Lists are newest first unless \`order\` or the operation says otherwise, and paged by \`limit\` and
\`cursor\`. Every mutation takes an \`Idempotency-Key\`. Optional members without a value are absent, never null. Members
and codes may be added: ignore those that you do not know.`;

/** Builds the OpenAPI 3.1 document of the service from the routes and the schema. */
export function buildOpenApi(schema: GraphQLSchema, routes: readonly Route[], baseUrl: string): JsonSchema {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(
      compileRoute(schema, route),
      components,
    );
  }
  const webhooks = describeWebhooks(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Consent and Profile Service',
      version: VERSION,
      summary: 'Consent, connections, catalog, events and consent-filtered profiles for partners.',
      description: DESCRIPTION,
      license: { name: 'UNLICENSED', url: `${baseUrl}/docs` },
      contact: { name: 'Documentation', url: `${baseUrl}/docs` },
    },
    externalDocs: { description: 'Guides, recipes and the catalogue of errors', url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl, description: 'This service' }],
    security: [],
    tags,
    paths: { ...paths, ...oauthPaths(baseUrl) },
    webhooks,
    components: {
      schemas: { ...components.schemas, ...errorSchemas, ...oauthSchemas },
      parameters,
      headers,
      examples: errorExamples(baseUrl),
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}

function securitySchemes(baseUrl: string): JsonSchema {
  const [tokenUrl, refreshUrl] = [`${baseUrl}/oauth/token`, `${baseUrl}/oauth/token`];
  const { offline_access: _offline, ...ofClients } = SCOPES;
  return {
    accessToken: {
      type: 'oauth2',
      description: 'An access token, sent as `Authorization: Bearer …`. It lives for 15 minutes.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}/oauth/authorize`,
          tokenUrl,
          refreshUrl,
          scopes: SCOPES,
        },
        clientCredentials: { tokenUrl, refreshUrl, scopes: ofClients },
      },
    },
    adminKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-service-admin-key',
      description: "The operator's administrative key.",
    },
    clientBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'Client id and secret of a confidential client.',
    },
  };
}
