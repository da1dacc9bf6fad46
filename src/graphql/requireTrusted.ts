import type { Request, RequestHandler, Response } from 'express';
import type { KnownOperations, Source } from '../execution/KnownOperations.js';
import { requestIdOf } from '../http/requestId.js';
import { sendText } from '../../rest-bridge/send.js';
import { NOT_REGISTERED, ONLY_REGISTERED } from './checkOperation.js';
import { GRAPHQL_TYPE, JSON_TYPE, takesGraphqlResponse } from './mediaTypes.js';

/** Refuses every operation that is not registered (`TRUSTED_DOCUMENTS_ONLY`), before anything of it is parsed. */
export function requireTrusted(operations: KnownOperations): RequestHandler {
  return (request, response, next) => {
    const source = sourceOf(request.method === 'GET' ? parametersOf(request) : request.body);
    if (source !== undefined && operations.isTrusted(source)) return next();
    refuse(request, response, source);
  };
}

/** What Apollo Server would execute: the text, else what the hash or the id names. */
function sourceOf(sent: unknown): Source | undefined {
  const { query, documentId, extensions } = membersOf(sent);
  if (query !== undefined && query !== null) return typeof query === 'string' ? { text: query } : undefined;
  const { persistedQuery } = membersOf(extensions);
  const hash = persistedQuery === undefined ? documentId : membersOf(persistedQuery)['sha256Hash'];
  return typeof hash === 'string' ? { hash: hash.replace(/^sha256:/, '') } : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Undefined where a parameter is sent twice: nothing of that is trusted. */
function parametersOf({ url }: Request): unknown {
  const start = url.indexOf('?');
  const parameters = start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
  if (new Set(parameters.map(([name]) => name)).size < parameters.length) return undefined;
  const { extensions, ...others } = Object.fromEntries(parameters);
  return { ...others, extensions: extensions === undefined ? undefined : parsed(extensions) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As other refusals of GraphQL's own: 400 for clients that know its media type, else 200 (`responsePlugin`). */
function refuse(request: Request, response: Response, source: Source | undefined): void {
  const isGraphql = takesGraphqlResponse(request.get('accept'));
  const byId = source !== undefined && 'hash' in source;
  const message = byId ? 'No operation is registered by this id.' : ONLY_REGISTERED;
  const reason = byId ? 'PERSISTED_QUERY_NOT_IN_LIST' : NOT_REGISTERED;
  const extensions = { code: 'INVALID_REQUEST', status: 400, reason, requestId: requestIdOf(response) };
  response.status(isGraphql ? 400 : 200);
  response.setHeader('Cache-Control', 'no-store');
  sendText(response, isGraphql ? GRAPHQL_TYPE : JSON_TYPE, JSON.stringify({ errors: [{ message, extensions }] }));
}
