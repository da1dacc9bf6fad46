import type { Route } from '../Route.js';

export const appRoutes: readonly Route[] = [
  {
    operation: 'createApp',
    method: 'POST',
    path: '/v1/apps',
    success: 201,
    location: '/v1/apps/{app_id}',
    summary: 'Register a partner app',
    select: 'appId clientId clientSecret name redirectUris scopes createdAt',
  },
  {
    operation: 'getApp',
    method: 'GET',
    path: '/v1/apps/:app_id',
    summary: 'Read a partner app',
    field: 'app',
    select: '...App',
  },
  {
    operation: 'updateApp',
    method: 'PATCH',
    path: '/v1/apps/:app_id',
    summary: 'Change a partner app',
    select: '...App',
  },
  {
    operation: 'rotateAppSecret',
    method: 'POST',
    path: '/v1/apps/:app_id/rotate-secret',
    optionalBody: true,
    summary: 'Give an app a new client secret; the present one ends now or in 24 hours',
    select: 'app { ...App } clientSecret',
  },
];
