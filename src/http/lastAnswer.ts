import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnderWay } from './answerUnderWay.js';

/** Of each connection, the newest answer that waited for one before it (pipelining). */
const waited = new WeakMap<Socket, ServerResponse>();

/** The newest answer that a connection owes at this moment. */
export function lastAnswer(socket: Socket): ServerResponse | undefined {
  const last = waited.get(socket);
  return last === undefined || last.writableFinished ? answerUnderWay(socket) : last;
}

/** Takes note of an answer that waits for those before it. */
export function noteWaiting(socket: Socket, answer: ServerResponse): void {
  waited.set(socket, answer);
}

/**
 * Makes the newest answer of a connection its last one, and the one before it its last no longer.
 *
 * @returns false when the connection already ends with the one before, so that this one cannot be sent
 */
export function closeAfter(answer: ServerResponse, before: ServerResponse | undefined): boolean {
  if (before?.headersSent === true && !before.shouldKeepAlive) return false;
  if (before !== undefined) before.shouldKeepAlive = true;
  answer.shouldKeepAlive = false;
  return true;
}
