import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes an answer when its connection ends. Node does so only for the answer that has the connection, not
 * for one from which it was taken.
 */
export function closeWith(socket: Socket, response: ServerResponse): void {
  const close = (): void => {
    if (response.socket !== null || response.destroyed) return;
    response.destroy();
    response.emit('close');
  };
  socket.once('close', close);
  response.once('close', () => socket.off('close', close));
}
