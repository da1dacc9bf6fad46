import { connect } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf, isLiteralAddress, isLoopbackName, mayConnectTo } from '../../domain/webhooks/endpointUrl.js';
import type { ReceiverPolicy } from '../../domain/webhooks/endpointUrl.js';
import { AttemptFailure } from './AttemptFailure.js';
import type { ResolveHost } from './resolveReceiver.js';

/**
 * How long one of several addresses is tried before the next; Node's own quarter of a second is too short for
 * far receivers.
 */
const ATTEMPT_EACH_MS = 2000;

export interface ReceiverNetwork {
  policy: ReceiverPolicy;
  resolve: ResolveHost;
  /** Certificates to trust besides the system's, for receivers of a private authority. */
  ca?: string | Buffer;
}

/**
 * Opens the connection for one attempt. The addresses that the name gives are checked and then connected to
 * as they are, without asking again, so a name server cannot answer differently between the check and the
 * connection; what the socket is connected to at last is checked once more before a byte is written.
 *
 * @throws AttemptFailure
 */
export async function connectToReceiver(
  url: URL,
  network: ReceiverNetwork,
  signal: AbortSignal,
): Promise<Socket> {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && network.policy.allowHttp)) {
    throw new AttemptFailure('forbidden_address', 'The URL must begin with https://.');
  }
  const addresses = await allowedAddresses(hostOf(url), network);
  signal.throwIfAborted();
  const socket = await openSocket(url, addresses, signal);
  if (!mayConnectTo(socket.remoteAddress ?? '', network.policy)) {
    socket.destroy();
    throw new AttemptFailure(
      'forbidden_address',
      'The socket was connected to an address that is not allowed.',
    );
  }
  return url.protocol === 'https:' ? startTls(socket, url, network, signal) : socket;
}

/** One forbidden address among several refuses the name: a socket may try any of them. */
async function allowedAddresses(host: string, network: ReceiverNetwork): Promise<string[]> {
  const addresses = await addressesOf(host, network.resolve);
  if (addresses.length === 0)
    throw new AttemptFailure('host_not_found', 'The name of the receiver has no address.');
  if (addresses.every((address) => mayConnectTo(address, network.policy))) return addresses;
  throw new AttemptFailure('forbidden_address', 'The receiver is at an address that is not allowed.');
}

async function addressesOf(host: string, resolve: ResolveHost): Promise<string[]> {
  if (isLiteralAddress(host)) return [host];
  // RFC 6761, 6.3: the name is not to be asked of any name server.
  if (isLoopbackName(host)) return ['127.0.0.1', '::1'];
  return resolve(host);
}

function openSocket(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((resolve, reject) => {
    // A name, not an address, so that `lookup` is asked and all addresses are tried in turn (RFC 8305).
    const socket = connect({
      host: 'receiver',
      port,
      lookup: answering(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_EACH_MS,
    });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => reject(new AttemptFailure('connection_failed', 'No connection could be made.')));
  });
}

/** The answer is the list that was checked; the name is not resolved again. */
function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_host, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function startTls(socket: Socket, url: URL, network: ReceiverNetwork, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url);
  const names = isLiteralAddress(host) ? {} : { servername: host };
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      socket.destroy();
      reject(new AttemptFailure('tls_failed', 'The TLS handshake failed.'));
    };
    const trust = network.ca === undefined ? {} : { ca: network.ca };
    const secure = connectTls({
      socket,
      host,
      ...names,
      ...trust,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    });
    secure.once('secureConnect', () => resolve(secure));
    secure.on('error', fail);
    socket.once('close', fail);
    signal.addEventListener('abort', fail, { once: true });
  });
}
