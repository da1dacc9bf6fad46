import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import { Loaders } from '../loaders/Loaders.js';
import type { Services } from '../Services.js';
import type { Caller } from './Caller.js';
import type { RequestContext } from './RequestContext.js';

/** @param forms how the operation that will run takes documents */
export function createContext(
  services: Services,
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
