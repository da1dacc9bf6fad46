/** The public paths by name; the same list for people and programs. */
export const PLACES = {
  documentation: '/docs/',
  rest: '/v1',
  openapi: '/v1/openapi.json',
  graphql: '/graphql',
  graphiql: '/graphiql',
  dashboard: '/dashboard',
  connections: '/connections',
  oauth_metadata: '/.well-known/oauth-authorization-server',
} as const;
