import type { IncomingMessage } from 'node:http';

/** An address for event streams and sockets of clients that have a session here instead of a token. */
export interface SessionDoor {
  path: RegExp;
  /** The token of the request's session; undefined: the request is refused. */
  tokenOf: (request: IncomingMessage) => Promise<string | undefined>;
}

const entered = new WeakMap<IncomingMessage, SessionDoor>();

/**
 * From here on the request carries its session's token, under the same guards as any other.
 *
 * @returns whether it has a session
 */
export async function enterBySession(door: SessionDoor, request: IncomingMessage): Promise<boolean> {
  const token = await door.tokenOf(request);
  if (token === undefined) return false;
  request.headers.authorization = `Bearer ${token}`;
  entered.set(request, door);
  return true;
}

/** Whether the session by which a request entered has ended; false for a request with a token of its own. */
export async function hasSessionEnded(request: IncomingMessage): Promise<boolean> {
  const door = entered.get(request);
  return door !== undefined && (await door.tokenOf(request)) === undefined;
}
