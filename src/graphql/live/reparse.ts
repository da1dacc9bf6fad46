import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const OF_THE_UPGRADE = new Set(['upgrade', 'http2-settings']);

/**
 * Answers a request that offers an unsupported upgrade, such as Java's to HTTP/2, as if it had offered none
 * (RFC 9110, 7.8). When anyone listens for upgrades, Node passes on the raw socket of every such request, so
 * the bytes read are put back.
 */
export function reparse(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2);
    if (OF_THE_UPGRADE.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** The other options of a `Connection` header, such as `close` (RFC 9110, 7.6.1). */
function withoutUpgrade(options: string): string {
  const others = options.split(',').filter((option) => !OF_THE_UPGRADE.has(option.trim().toLowerCase()));
  return others.join(',').trim();
}
