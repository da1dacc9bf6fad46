import type { Duplex } from 'node:stream';
import { answerUnderWay } from './answerUnderWay.js';

/**
 * Calls `goOn` once the requests before this one on its connection are answered (RFC 9112, 9.3.2), and never
 * when the connection ends before that.
 */
export function afterAnswers(socket: Duplex, goOn: () => void): void {
  const answering = answerUnderWay(socket);
  if (answering === undefined) return goOn();
  // Node took its own listener off; without one a client that resets the connection would end the process.
  const ignore = (): void => undefined;
  socket.on('error', ignore);
  answering.once('finish', () => {
    if (!socket.writable) return;
    socket.off('error', ignore);
    afterAnswers(socket, goOn);
  });
}
