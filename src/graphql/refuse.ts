import type { ServerResponse } from 'node:http';
import { errorHeaders } from '../../rest-bridge/errorResponse.js';
import { sendJson } from '../../rest-bridge/send.js';
import { isOurFault } from '../access/describeError.js';
import type { ServiceError } from '../errors.js';
import { baseUrlOf } from '../http/documentation.js';
import { notesOf } from '../http/requestNotes.js';
import { requestIdOf } from '../http/requestId.js';
import type { Services } from '../Services.js';
import { ofRequest } from './shownErrors.js';

/** Refuses for a failure, which is logged where it is ours. */
export function refuseFailure(
  services: Services,
  response: ServerResponse,
  described: ServiceError,
  cause: unknown,
): void {
  if (isOurFault(described)) services.log.error({ err: cause, request_id: requestIdOf(response) }, 'request failed');
  refuse(response, described);
}

/** A refusal before GraphQL began, in the shape its clients parse. */
export function refuse(response: ServerResponse, error: ServiceError, status: number = error.status): void {
  notesOf(response).code = error.code;
  const shown = { message: error.message, extensions: { code: error.code.toUpperCase(), status: error.status } };
  const ofThis = ofRequest(shown, { requestId: requestIdOf(response), baseUrl: baseUrlOf(response) });
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.statusCode = status;
  sendJson(response, JSON.stringify({ errors: [ofThis] }));
}
