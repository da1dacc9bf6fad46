import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Facts about a request for logs and metrics. They contain no body and no personal data. */
export interface RequestNotes {
  requestId: string;
  /** Base URL of the service, where its documentation is. */
  baseUrl: string;
  appId?: string;
  /** Pattern of the path, so that ids never become labels. */
  route?: string;
  /** The REST operation, or the root fields of the GraphQL operation. */
  operation?: string;
  /** The first error's code. */
  code?: string;
  /** An event stream, whose duration depends on the client. */
  isStream?: boolean;
  /** The status of a refusal that was sent in the place of the handler's answer. */
  refusedWith?: number;
  /** Settles when the handler is through, which may be after the client is gone. */
  handled?: Promise<void> | undefined;
}

/** The route facts that Express adds. */
interface Routed extends IncomingMessage {
  route?: { path?: string };
  baseUrl?: string;
}

interface Noted extends ServerResponse {
  notes?: RequestNotes;
}

const ACCEPTABLE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's correlation id if well formed, else a new one (docs/contract.md#headers). */
export function requestIdFrom(sent: string | undefined): string {
  return sent !== undefined && ACCEPTABLE_ID.test(sent) ? sent : `req_${randomUUID()}`;
}

/** Adds correlation id and notes to a request, before anything can answer it. */
export function beginNotes(baseUrl: string) {
  return (request: IncomingMessage, response: Noted): void => {
    const requestId = requestIdFrom(request.headers['x-request-id'] as string | undefined);
    response.setHeader('X-Request-Id', requestId);
    response.notes = { requestId, baseUrl };
  };
}

/** The notes of a request, stored on its response. */
export function notesOf(response: ServerResponse): RequestNotes {
  return ((response as Noted).notes ??= { requestId: '', baseUrl: '' });
}

/** The route label of a request in metrics; `other` when no route matched. */
export function routeOf(request: IncomingMessage, response: ServerResponse): string {
  const { route, baseUrl = '' } = request as Routed;
  const path = notesOf(response).route ?? route?.path ?? baseUrl;
  return path === '' ? 'other' : path;
}
