import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { createContext } from '../access/createContext.js';
import type { Caller } from '../access/Caller.js';
import { rateLimitHeaders } from '../access/RateLimiter.js';
import type { RequestContext } from '../access/RequestContext.js';
import { operationKey } from '../execution/KnownOperations.js';
import type { KnownOperation, KnownOperations, Source } from '../execution/KnownOperations.js';
import type { CompiledOperation } from '../execution/OperationCompiler.js';
import { printSpliced } from '../execution/printSpliced.js';
import type { Services } from '../Services.js';
import { requestIdOf } from '../http/requestId.js';
import { sendText } from '../../rest-bridge/send.js';
import { checkCost } from './limits.js';
import { GRAPHQL_TYPE, JSON_TYPE } from './mediaTypes.js';
import { CREDENTIAL_CHALLENGE, isRefusedCredential, logFaults, shownErrors } from './shownErrors.js';

interface OperationRequest {
  key: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
}

/** Media types that Apollo Server would answer with, by the `Accept` headers for which that is beyond doubt: those that clients send. */
const ANSWERED_AS = new Map([
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/graphql-response+json', GRAPHQL_TYPE],
  // Apollo Client, GraphQL Tools and urql.
  ['application/graphql-response+json,application/json;q=0.9', GRAPHQL_TYPE],
  ['application/graphql-response+json, application/json;q=0.9', GRAPHQL_TYPE],
  ['application/graphql-response+json, application/json, multipart/mixed', GRAPHQL_TYPE],
  [
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    GRAPHQL_TYPE,
  ],
]);

/** Answers an operation, or leaves the request untouched. @returns whether it answered */
export type AnswerOperation = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  body: unknown,
) => Promise<boolean>;

/**
 * Answers queries that Apollo Server has found valid before, compiled; whatever is not that exactly is left to Apollo Server,
 * with the same body. Guards, limits and what is shown of errors are the same functions.
 */
export function answerKnown(services: Services, operations: KnownOperations): AnswerOperation {
  return async (request, response, caller, body) => {
    const type = ANSWERED_AS.get(request.headers.accept);
    const asked = type === undefined || request.method !== 'POST' ? undefined : readOperation(body);
    const known = asked && operations.find(asked.key);
    if (type === undefined || asked === undefined || known === undefined || !allowed(operations, known, asked))
      return false;
    const requestId = requestIdOf(response);
    const context = createContext(services, caller, requestId, known.compiled.forms);
    send(response, type, known.compiled, await known.compiled.run(context, asked.variables), context);
    return true;
  };
}

/** The operation that a body asks for by its text, or by the hash of a text that was sent before. */
function readOperation(sent: unknown): OperationRequest | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const { query, variables, operationName, extensions, documentId } = sent as Record<string, unknown>;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return undefined;
  if (!isAbsent(variables) && (typeof variables !== 'object' || Array.isArray(variables))) return undefined;
  const source = sourceOf({ query, extensions, documentId });
  if (source === undefined) return undefined;
  const name = (operationName ?? undefined) as string | undefined;
  return {
    key: operationKey(source, name),
    operationName: name,
    variables: (variables ?? {}) as Record<string, unknown>,
  };
}

/** Its text; or the hash of that, in Apollo's persisted-query form or as `documentId` (`documentIdPlugin`). */
function sourceOf({ query, extensions, documentId }: Record<string, unknown>): Source | undefined {
  if (typeof query === 'string') return isAbsent(extensions) ? { text: query } : undefined;
  if (query !== undefined) return undefined;
  if (extensions === undefined && typeof documentId === 'string') {
    const [, hash] = /^sha256:([0-9a-f]{64})$/.exec(documentId) ?? [];
    return hash === undefined ? undefined : { hash };
  }
  const persisted = (extensions as { persistedQuery?: { version?: unknown; sha256Hash?: unknown } } | undefined)
    ?.persistedQuery;
  if (persisted?.version !== 1 || typeof persisted.sha256Hash !== 'string') return undefined;
  return { hash: persisted.sha256Hash };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function allowed(
  operations: KnownOperations,
  known: KnownOperation,
  { variables, operationName }: OperationRequest,
): boolean {
  if (!operations.accepts(known, variables)) return false;
  if (!known.weighed) return true;
  try {
    checkCost(operations.compiler.schema, known.document, variables, operationName);
    return true;
  } catch {
    return false;
  }
}

function send(
  response: ServerResponse,
  type: string,
  operation: CompiledOperation,
  { data, errors }: ExecutionResult,
  context: RequestContext,
): void {
  const headers: Record<string, string> = context.outcome.rate ? rateLimitHeaders(context.outcome.rate) : {};
  let text = `{"data":${operation.forms.print.size === 0 ? JSON.stringify(data ?? null) : printSpliced(data ?? null)}}`;
  if (errors !== undefined && errors.length > 0) {
    logFaults(errors, context);
    const shown = shownErrors(errors, context.requestId);
    if (isRefusedCredential(data, shown)) {
      response.statusCode = 401;
      headers['WWW-Authenticate'] = CREDENTIAL_CHALLENGE;
    }
    text = `{"errors":${JSON.stringify(shown)},${text.slice(1)}`;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  // As Apollo Server prints.
  sendText(response, type, `${text}\n`);
}
