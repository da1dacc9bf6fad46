import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../access/identifyCaller.js';

/** The credentials that a request carries. */
export function credentialsOf({ headers }: IncomingMessage): Credentials {
  return {
    authorization: headers.authorization,
    // Node joins repeated headers of other names, so that this is never a list.
    adminKey: headers['x-service-admin-key'] as string | undefined,
  };
}
