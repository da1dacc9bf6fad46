import type { Preparation } from './frontDoor.js';
import type { Lifecycle } from './Lifecycle.js';

/** While the process is on its way out, answers say `Connection: close`: no client sends its next request into a connection that ends. */
export function closeWhenDraining(lifecycle: Lifecycle): Preparation {
  return (_request, response) => {
    if (lifecycle.draining) response.shouldKeepAlive = false;
  };
}
