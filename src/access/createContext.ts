import { Loaders } from '../loaders/Loaders.js';
import type { FactForm } from '../loaders/Loaders.js';
import type { Services } from '../Services.js';
import type { Caller } from './Caller.js';
import type { RequestContext } from './RequestContext.js';

/** @param factForm as the operation that will run takes them */
export function createContext(
  services: Services,
  caller: Caller,
  requestId: string,
  factForm: FactForm = 'objects',
): RequestContext {
  return {
    services,
    requestId,
    caller,
    loaders: new Loaders(services, caller, factForm),
    outcome: { replayed: false },
  };
}
