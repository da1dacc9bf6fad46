import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';

/** @throws ServiceError `method_not_allowed` for any method but those of `allow` */
export function requireMethod({ method = '' }: IncomingMessage, allow: readonly string[]): void {
  if (!allow.includes(method))
    throw new ServiceError('method_not_allowed', `Send this by ${allow.join(' or ')}.`, { allow });
}
