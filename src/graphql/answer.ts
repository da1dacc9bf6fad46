import type { ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { BEARER_CHALLENGE } from '../http/errorResponse.js';
import { sendText } from '../http/send.js';
import type { RequestContext } from '../access/RequestContext.js';
import type { CompiledOperation } from '../execution/OperationCompiler.js';
import { printInSlices } from '../execution/printInSlices.js';
import { notesOf } from '../http/requestNotes.js';
import type { InvalidOperation } from './InvalidOperation.js';
import { GRAPHQL_TYPE } from './mediaType.js';
import { isRefusedCredential, logFaults, requestOf, shownErrors } from './shownErrors.js';

/** Maximum resources of an answer that is printed without pauses. */
const MAX_PRINTED_AT_ONCE = 250;

/**
 * Prints the data of a compiled operation as Apollo Server does.
 *
 * @returns the text, or a promise of it when it is long
 */
export function printData(
  { print, forms }: CompiledOperation,
  data: ExecutionResult['data'],
  { charge }: RequestContext,
): string | Promise<string> {
  const isLong = forms.facts === 'objects' && charge.resources > MAX_PRINTED_AT_ONCE;
  return isLong ? printInSlices(data ?? null, print) : print(data ?? null);
}

/** Sends the result of a compiled operation. @param printed its data */
export function sendResult(
  response: ServerResponse,
  type: string,
  printed: string,
  { data, errors }: ExecutionResult,
  context: RequestContext,
): void {
  let text = `{"data":${printed}}`;
  if (errors !== undefined && errors.length > 0) {
    logFaults(errors, context);
    const shown = shownErrors(errors, requestOf(context));
    noteErrors(response, shown);
    if (isRefusedCredential(data, shown)) {
      response.statusCode = 401;
      response.setHeader('WWW-Authenticate', BEARER_CHALLENGE);
    }
    text = `{"errors":${JSON.stringify(shown)},${text.slice(1)}`;
  }
  send(response, type, text);
}

/**
 * Sends the errors of an operation that cannot run. The status is 400 with GraphQL's own media type. With
 * `application/json` it is 200, as older clients expect (GraphQL over HTTP, 6.4.1).
 */
export function sendInvalid(response: ServerResponse, type: string, { errors }: InvalidOperation): void {
  response.statusCode = type === GRAPHQL_TYPE ? 400 : 200;
  const shown = shownErrors(errors, notesOf(response));
  noteErrors(response, shown);
  send(response, type, JSON.stringify({ errors: shown }));
}

/** Stores the code of the first error for the request log. */
export function noteErrors(response: ServerResponse, [first]: readonly GraphQLFormattedError[]): void {
  const code = first?.extensions?.['code'];
  if (typeof code === 'string') notesOf(response).code = code.toLowerCase();
}

function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader('Cache-Control', 'no-store');
  sendText(response, type, `${text}\n`);
}
