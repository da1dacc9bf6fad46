import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { describeError, isOurFault } from '../access/describeError.js';
import type { ServiceError } from '../errors.js';
import { notesOf } from './requestNotes.js';

/** What a client may know of why its request failed. Logs the error itself if it is our fault. */
export function describeFailure(log: Logger, response: ServerResponse, error: unknown): ServiceError {
  const described = describeError(error);
  if (isOurFault(described))
    log.error({ err: error, request_id: notesOf(response).requestId }, 'request failed');
  return described;
}
