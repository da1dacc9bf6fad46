import type { ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { sendText } from '../../rest-bridge/send.js';
import type { RequestContext } from '../access/RequestContext.js';
import type { CompiledOperation } from '../execution/OperationCompiler.js';
import { baseUrlOf } from '../http/documentation.js';
import { notesOf } from '../http/requestNotes.js';
import { requestIdOf } from '../http/requestId.js';
import type { InvalidOperation } from './InvalidOperation.js';
import { GRAPHQL_TYPE } from './mediaType.js';
import { CREDENTIAL_CHALLENGE, isRefusedCredential, logFaults, requestOf, shownErrors } from './shownErrors.js';

/** Sends what a compiled operation answered, printed as Apollo Server prints. */
export function sendResult(
  response: ServerResponse,
  type: string,
  { print }: CompiledOperation,
  { data, errors }: ExecutionResult,
  context: RequestContext,
): void {
  let text = `{"data":${print(data ?? null)}}`;
  if (errors !== undefined && errors.length > 0) {
    logFaults(errors, context);
    const shown = shownErrors(errors, requestOf(context));
    noteErrors(response, shown);
    if (isRefusedCredential(data, shown)) {
      response.statusCode = 401;
      response.setHeader('WWW-Authenticate', CREDENTIAL_CHALLENGE);
    }
    text = `{"errors":${JSON.stringify(shown)},${text.slice(1)}`;
  }
  send(response, type, text);
}

/**
 * Sends why an operation does not run. By GraphQL's own media type that is a 400; by `application/json` a 200, as clients
 * expect that know no other (GraphQL over HTTP, 6.4.1).
 */
export function sendInvalid(response: ServerResponse, type: string, { errors }: InvalidOperation): void {
  response.statusCode = type === GRAPHQL_TYPE ? 400 : 200;
  const shown = shownErrors(errors, { requestId: requestIdOf(response), baseUrl: baseUrlOf(response) });
  noteErrors(response, shown);
  send(response, type, JSON.stringify({ errors: shown }));
}

/** For the request log: what the first error was. */
export function noteErrors(response: ServerResponse, [first]: readonly GraphQLFormattedError[]): void {
  const code = first?.extensions?.['code'];
  if (typeof code === 'string') notesOf(response).code = code.toLowerCase();
}

function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader('Cache-Control', 'no-store');
  sendText(response, type, `${text}\n`);
}
