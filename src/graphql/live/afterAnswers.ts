import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Goes on once the requests before this one on its connection are answered (RFC 9112, 9.3.2). Nothing of a
 * connection that ended is gone on with.
 */
export function afterAnswers(socket: Duplex, goOn: () => void): void {
  const answering: unknown = Reflect.get(socket, '_httpMessage');
  if (!(answering instanceof ServerResponse)) return goOn();
  // Node took its own listener off; without one a client that resets the connection would end the process.
  const ignore = (): void => undefined;
  socket.on('error', ignore);
  answering.once('finish', () => {
    if (!socket.writable) return;
    socket.off('error', ignore);
    afterAnswers(socket, goOn);
  });
}
