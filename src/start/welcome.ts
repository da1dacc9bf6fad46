import type { RunningService } from '../app.js';
import type { Demo } from '../demo/ensureDemo.js';
import { ensureDemo } from '../demo/ensureDemo.js';

/** The text shown at the start: all addresses, and the commands for a first token. */
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
    `  Dashboard ${config.baseUrl}/dashboard`,
    `  Docs      ${config.baseUrl}/docs/`,
    `  OAuth     ${config.baseUrl}/.well-known/oauth-authorization-server`,
    `  Health    ${operations}/healthz  ${operations}/readyz  ${operations}/metrics`,
    '',
    ...firstToken(
      config.baseUrl,
      config.environment === 'production' ? undefined : config.secrets.adminKeys[0],
    ),
    '',
    ...(config.environment === 'development' ? demoLines(await ensureDemo(services)) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function firstToken(baseUrl: string, adminKey: string | undefined): string[] {
  if (adminKey === undefined) return [];
  return [
    'To call it as the operator (development only):',
    '',
    `  export ADMIN_KEY=${adminKey}`,
    '',
    `First profile in five minutes:   ${baseUrl}/docs/start/rest`,
    'The whole main job, told:        npm run demo',
    'A thousand believable customers: npm run demo:data',
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
