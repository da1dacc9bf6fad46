import type { IncomingMessage } from 'node:http';

/** An address for event streams and sockets of clients that have a session here instead of a token. */
export interface SessionDoor {
  path: RegExp;
  /** The token of the request's session; undefined: the request is refused. */
  tokenOf: (request: IncomingMessage) => Promise<string | undefined>;
}
