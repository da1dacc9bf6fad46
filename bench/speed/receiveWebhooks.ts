import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver in a process of its own: takes every webhook at once, and tells over IPC how many different ones
// have arrived.
const arrived = new Set<string>();
const server = createServer((request, response) => {
  arrived.add(String(request.headers['webhook-id']));
  request.resume();
  request.once('end', () => response.writeHead(204).end());
});
process.on('message', () => process.send?.({ arrived: arrived.size }));
process.once('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
