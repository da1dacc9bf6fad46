import type { TestPartner } from './TestPartner.js';

/** The lines of a request that offer to open a WebSocket. */
export const UPGRADE_LINES = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** The bytes that open a WebSocket for subscriptions. */
export const SOCKET_REQUEST = [
  'GET /graphql HTTP/1.1',
  'Host: localhost',
  ...UPGRADE_LINES,
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  '',
  '',
].join('\r\n');

/** The bytes of a request for a subscription over SSE, of ASCII. */
export function eventsRequest(app: TestPartner, operation: { query: string; variables: object }): string {
  const body = JSON.stringify(operation);
  return [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    `Authorization: ${app.credentials['authorization']}`,
    'Accept: text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
