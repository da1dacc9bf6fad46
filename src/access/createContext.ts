import { Loaders } from '../loaders/Loaders.js';
import type { Services } from '../Services.js';
import type { Caller } from './Caller.js';
import type { RequestContext } from './RequestContext.js';

export function createContext(services: Services, caller: Caller, requestId: string): RequestContext {
  return { services, requestId, caller, loaders: new Loaders(services, caller), outcome: { replayed: false } };
}
