import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import { Loaders } from '../loaders/Loaders.js';
import type { ReadServices } from '../loaders/ReadScope.js';
import type { Caller } from './Caller.js';
import type { RequestContext } from './RequestContext.js';

/** What a door needs to serve requests. */
export type DoorServices = ReadServices;

/** @param forms how the operation that will run takes documents */
export function createContext(
  services: DoorServices,
  caller: Caller,
  requestId: string,
  forms: DocumentForms = AS_OBJECTS,
): RequestContext {
  return {
    services,
    requestId,
    caller,
    loaders: new Loaders(services, caller, forms),
    outcome: { replayed: false },
  };
}
