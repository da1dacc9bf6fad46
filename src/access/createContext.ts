import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import type { RequestServices } from '../Services.js';
import type { Caller } from './Caller.js';
import { Charge } from './Charge.js';
import type { RequestContext } from './RequestContext.js';

/**
 * @param forms the form in which the operation needs documents
 * @param charge what the request has already paid
 */
export function createContext(
  services: RequestServices,
  caller: Caller,
  requestId: string,
  forms: DocumentForms = AS_OBJECTS,
  charge: Charge = new Charge(services.rateLimiter, caller),
): RequestContext {
  return {
    services,
    requestId,
    caller,
    appId: caller.kind === 'app' ? caller.appId : '',
    forms,
    charge,
    outcome: { replayed: false },
  };
}
