import { request } from 'node:http';

/** The status with which the dashboard's live connection answers a handshake. */
export function upgradeStatus(
  baseUrl: string,
  appId: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const handshake = request(`${baseUrl}/dashboard/live?app_id=${appId}`, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol': 'graphql-transport-ws',
        ...headers,
      },
    });
    handshake.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    handshake.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    handshake.once('error', reject);
    handshake.end();
  });
}
