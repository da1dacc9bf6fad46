import type { RunningService } from './app.js';
import type { Demo } from './oauth/ensureDemo.js';
import { ensureDemo } from './oauth/ensureDemo.js';

/** What a newcomer sees at the start: where everything is, and the commands to a first token. */
export async function welcome({ url, operationsUrl, services }: RunningService): Promise<string> {
  const { config } = services;
  if (config.role === 'worker') return `Working the queues; health at ${operationsUrl ?? url}/healthz\n`;
  const operations = operationsUrl ?? config.baseUrl;
  const lines = [
    '',
    `Partner Consent and Profile Service is ready at ${config.baseUrl}`,
    '',
    `  REST      ${config.baseUrl}/v1          (OpenAPI: ${config.baseUrl}/v1/openapi.json)`,
    `  GraphQL   ${config.baseUrl}/graphql`,
    `  GraphiQL  ${config.baseUrl}/graphiql`,
    `  OAuth     ${config.baseUrl}/.well-known/oauth-authorization-server`,
    `  Health    ${operations}/healthz  ${operations}/readyz  ${operations}/metrics`,
    '',
    ...firstToken(config.baseUrl, config.environment === 'production' ? undefined : config.secrets.adminKeys[0]),
    '',
    ...(config.environment === 'development' ? demoLines(await ensureDemo(services)) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function firstToken(baseUrl: string, adminKey: string | undefined): string[] {
  if (adminKey === undefined) return [];
  return [
    'Register an app and get a first token:',
    '',
    `  curl -s ${baseUrl}/v1/apps -H 'x-service-admin-key: ${adminKey}' -H 'Idempotency-Key: first-app-00000001' \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"First app","redirect_uris":["http://localhost:8080/callback"],"allowed_scopes":["customers:write","consent:write","events:write","profile:read"]}'`,
    '',
    `  curl -s ${baseUrl}/oauth/token -u CLIENT_ID:CLIENT_SECRET -d grant_type=client_credentials \\`,
    `    -d 'scope=customers:write consent:write events:write profile:read'`,
    '',
    'Then see the whole main job done in front of you: npm run demo',
  ];
}

function demoLines({ email, password, appId, clientSecret }: Demo): string[] {
  return [
    'A demo account, member of a demo app, is ready (development only):',
    '',
    `  sign in   ${email}  ${password}`,
    `  client    ${appId}  ${clientSecret}`,
    '',
  ];
}
