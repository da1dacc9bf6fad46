import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import type { ReadServices } from '../loaders/ReadScope.js';
import type { Caller } from './Caller.js';
import { Charge } from './Charge.js';
import type { RequestContext } from './RequestContext.js';

/** The services of a door. Doors may not import the loaders, whose services these are. */
export type DoorServices = ReadServices;

/**
 * @param forms the form in which the operation needs documents
 * @param charge what the request has already paid
 */
export function createContext(
  services: DoorServices,
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
