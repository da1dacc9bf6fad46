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
  return isLong ? printInSlices(data ?? null) : print(data ?? null);
}

/** The answer of an executed operation, before it is sent over HTTP or as an event. */
export interface Answer {
  /** JSON, with a line break at its end. */
  text: string;
  errors: readonly GraphQLFormattedError[];
  status: number;
  headers: ReadonlyMap<string, string>;
}

const NO_STORE: ReadonlyMap<string, string> = new Map([['Cache-Control', 'no-store']]);

/** The answer with the result of a compiled operation. @param printed its data */
export function answerOf(
  printed: string,
  { data, errors = [] }: ExecutionResult,
  context: RequestContext,
): Answer {
  const text = `{"data":${printed}}\n`;
  if (errors.length === 0) return { text, errors: [], status: 200, headers: NO_STORE };
  logFaults(errors, context);
  const shown = shownErrors(errors, requestOf(context));
  const answer = { text: `{"errors":${JSON.stringify(shown)},${text.slice(1)}`, errors: shown };
  return isRefusedCredential(data, shown)
    ? { ...answer, status: 401, headers: new Map([...NO_STORE, ['WWW-Authenticate', BEARER_CHALLENGE]]) }
    : { ...answer, status: 200, headers: NO_STORE };
}

/** Sends an answer over HTTP. */
export function sendAnswer(
  response: ServerResponse,
  type: string,
  { text, errors, status, headers }: Answer,
): void {
  noteErrors(response, errors);
  for (const [name, value] of headers) response.setHeader(name, value);
  response.statusCode = status;
  sendText(response, type, text);
}

/**
 * Sends the errors of an operation that cannot run. The status is 400 with GraphQL's own media type. With
 * `application/json` it is 200, as older clients expect (GraphQL over HTTP, 6.4.1).
 */
export function sendInvalid(response: ServerResponse, type: string, { errors }: InvalidOperation): void {
  response.statusCode = type === GRAPHQL_TYPE ? 400 : 200;
  const shown = shownErrors(errors, notesOf(response));
  noteErrors(response, shown);
  response.setHeader('Cache-Control', 'no-store');
  sendText(response, type, `${JSON.stringify({ errors: shown })}\n`);
}

/** Stores the code of the first error for the request log. */
export function noteErrors(response: ServerResponse, [first]: readonly GraphQLFormattedError[]): void {
  const code = first?.extensions?.['code'];
  if (typeof code === 'string') notesOf(response).code = code.toLowerCase();
}
