import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Tracing } from '../telemetry/tracing.js';
import { notesOf, routeOf } from './requestNotes.js';

/** Handles every request in its own span, a child of the caller's span if `traceparent` names one. */
export function traceRequests(tracing: Tracing | undefined, listener: RequestListener): RequestListener {
  if (tracing === undefined) return listener;
  return (request: IncomingMessage, response: ServerResponse) => {
    const { method = '' } = request;
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    const span = tracing.open({ name: method, kind: 'server', attributes }, request.headers);
    response.once('close', () => {
      const route = routeOf(request, response);
      const { statusCode: status } = response;
      const { appId, operation, code, requestId } = notesOf(response);
      const told = { 'consent.app_id': appId, 'consent.operation': operation, 'error.type': code };
      const known = Object.entries(told).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const facts = {
        'http.route': route,
        'http.response.status_code': status,
        'consent.request_id': requestId,
      };
      span.end(`${method} ${route}`, { ...facts, ...Object.fromEntries(known) }, status >= 500);
    });
    span.within(() => listener(request, response));
  };
}
