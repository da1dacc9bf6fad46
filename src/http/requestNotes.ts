import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Facts about a request for logs and metrics. They hold no body and no personal data. */
export interface RequestNotes {
  /** Correlation id. */
  requestId: string;
  /** Base URL of the service that answers; its documentation is there. */
  baseUrl: string;
  appId?: string;
  /** Pattern of the path that answers, so that ids never become labels. */
  route?: string;
  /** The REST operation, or the root fields of the GraphQL operation. */
  operation?: string;
  /** The first error's code. */
  code?: string;
  /** An event stream: it takes as long as the client likes. */
  isStream?: boolean;
}

/** What express tells of its own routes. */
interface Routed extends IncomingMessage {
  route?: { path?: string };
  baseUrl?: string;
}

interface Noted extends ServerResponse {
  notes?: RequestNotes;
}

const ACCEPTABLE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's correlation id when it is well formed, else a fresh one (docs/contract.md#headers). */
export function requestIdFrom(sent: string | undefined): string {
  return sent !== undefined && ACCEPTABLE_ID.test(sent) ? sent : `req_${randomUUID()}`;
}

/** Gives a request its correlation id and its notes, before anything else can answer. */
export function beginNotes(baseUrl: string) {
  return (request: IncomingMessage, response: Noted): void => {
    const requestId = requestIdFrom(request.headers['x-request-id'] as string | undefined);
    response.setHeader('X-Request-Id', requestId);
    response.notes = { requestId, baseUrl };
  };
}

/** The notes of a request, kept with its answer. */
export function notesOf(response: ServerResponse): RequestNotes {
  return ((response as Noted).notes ??= { requestId: '', baseUrl: '' });
}

/** The route under which a request is measured; `other` where none answered. */
export function routeOf(request: IncomingMessage, response: ServerResponse): string {
  const { route, baseUrl = '' } = request as Routed;
  const path = notesOf(response).route ?? route?.path ?? baseUrl;
  return path === '' ? 'other' : path;
}
