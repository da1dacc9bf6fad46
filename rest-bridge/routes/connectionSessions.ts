import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

export const connectionSessionRoutes: readonly Route[] = [
  {
    operation: 'createConnectionSession',
    method: 'POST',
    path: '/v1/connection-sessions',
    success: 201,
    location: '/v1/connection-sessions/{session.id}',
    summary: 'Begin a connection session',
    select: 'session { ...ConnectionSession } clientToken connectionUrl',
  },
  {
    operation: 'listConnectionSessions',
    method: 'GET',
    path: '/v1/connection-sessions',
    summary: 'List connection sessions',
    field: 'connectionSessions',
    select: pageOf('...ConnectionSession'),
  },
  {
    operation: 'getConnectionSession',
    method: 'GET',
    path: '/v1/connection-sessions/:session_id',
    summary: 'Read a connection session',
    field: 'connectionSession',
    select: '...ConnectionSession',
  },
  {
    operation: 'cancelConnectionSession',
    method: 'DELETE',
    path: '/v1/connection-sessions/:session_id',
    summary: 'Cancel a connection session',
    select: '...ConnectionSession',
  },
];
