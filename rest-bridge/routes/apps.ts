import type { Route } from '../Route.js';

export const appRoutes: readonly Route[] = [
  {
    operation: 'createApp',
    method: 'POST',
    path: '/v1/apps',
    success: 201,
    location: '/v1/apps/{app_id}',
    summary: 'Register a partner app',
    document: `mutation createApp($idempotency_key: String!, $input: CreateAppInput!) {
      result: createApp(idempotencyKey: $idempotency_key, input: $input) {
        app_id: appId client_id: clientId client_secret: clientSecret name redirect_uris: redirectUris scopes
          created_at: createdAt } }`,
  },
  {
    operation: 'getApp',
    method: 'GET',
    path: '/v1/apps/:app_id',
    success: 200,
    summary: 'Read a partner app',
    document: `query getApp($app_id: ID!) { result: app(id: $app_id) { ...App } }`,
  },
  {
    operation: 'updateApp',
    method: 'PATCH',
    path: '/v1/apps/:app_id',
    success: 200,
    summary: 'Change a partner app',
    document: `mutation updateApp($app_id: ID!, $idempotency_key: String!, $input: UpdateAppInput!) {
      result: updateApp(id: $app_id, idempotencyKey: $idempotency_key, input: $input) { ...App } }`,
  },
  {
    operation: 'rotateAppSecret',
    method: 'POST',
    path: '/v1/apps/:app_id/rotate-secret',
    success: 200,
    optionalBody: true,
    summary: 'Give an app a new client secret; the present one ends now or in 24 hours',
    document: `mutation rotateAppSecret($app_id: ID!, $idempotency_key: String!,
      $input: RotateAppSecretInput) {
      result: rotateAppSecret(id: $app_id, idempotencyKey: $idempotency_key, input: $input) {
        app { ...App } client_secret: clientSecret } }`,
  },
];
