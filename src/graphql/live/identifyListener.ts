import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../access/Caller.js';
import { hasSessionEnded } from '../../http/SessionDoor.js';

/** A page's subscription ends with its session, not only with the session's token. */
export async function identifyListener(
  request: IncomingMessage,
  identify: () => Promise<Caller>,
): Promise<Caller> {
  if (await hasSessionEnded(request))
    return { kind: 'anonymous', reason: 'The session of the page has ended.' };
  return identify();
}
