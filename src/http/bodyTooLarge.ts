import { ServiceError } from '../errors.js';

/** The refusal of a body that is larger than `limit` bytes. */
export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError('payload_too_large', `The body must not be larger than ${limit} bytes.`);
}
