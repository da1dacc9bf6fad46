import type { ServerResponse } from 'node:http';
import { errorHeaders } from '../http/errorResponse.js';
import { sendText } from '../http/send.js';
import type { ServiceError } from '../errors.js';
import { notesOf } from '../http/requestNotes.js';
import { ofRequest } from './shownErrors.js';

/**
 * Answers with an error before GraphQL starts, in the shape that its clients parse.
 *
 * @param type the media type of the answer
 */
export function refuse(
  response: ServerResponse,
  type: string,
  error: ServiceError,
  status: number = error.status,
): void {
  notesOf(response).code = error.code;
  const shown = {
    message: error.message,
    extensions: { code: error.code.toUpperCase(), status },
  };
  const ofThis = ofRequest(shown, notesOf(response));
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.statusCode = status;
  sendText(response, type, JSON.stringify({ errors: [ofThis] }));
}
