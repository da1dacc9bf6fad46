import type { IncomingMessage } from 'node:http';

/** An address for sockets whose clients have a session here instead of a token of their own. */
export interface SessionDoor {
  path: RegExp;
  /** The token of the request's session; undefined refuses it. */
  tokenOf: (request: IncomingMessage) => Promise<string | undefined>;
}
