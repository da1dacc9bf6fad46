import { connect } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf, isLiteralAddress, isLoopbackName, mayConnectTo } from '../../domain/webhooks/endpointUrl.js';
import type { ReceiverPolicy } from '../../domain/webhooks/endpointUrl.js';
import { AttemptFailure } from './AttemptFailure.js';
import type { ResolveHost } from './resolveReceiver.js';

/**
 * How long each of several addresses is tried, in milliseconds. Node's default of 250 is too short for far
 * receivers.
 */
const ATTEMPT_EACH_MS = 2000;

export interface ReceiverNetwork {
  policy: ReceiverPolicy;
  resolve: ResolveHost;
  /** Additional trusted certificates, for receivers with a private authority. */
  ca?: string | Buffer;
}

/**
 * Opens the connection for one attempt. The name is resolved once; its addresses are checked and connected to
 * without another resolution, so that a name server cannot answer differently in between. The address of the
 * connected socket is checked again before any byte is written.
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

/** One forbidden address refuses the name: a socket may try any of them. */
async function allowedAddresses(host: string, network: ReceiverNetwork): Promise<string[]> {
  const addresses = await addressesOf(host, network.resolve);
  if (addresses.length === 0)
    throw new AttemptFailure('host_not_found', 'The name of the receiver has no address.');
  if (addresses.every((address) => mayConnectTo(address, network.policy))) return addresses;
  throw new AttemptFailure('forbidden_address', 'The receiver is at an address that is not allowed.');
}

async function addressesOf(host: string, resolve: ResolveHost): Promise<string[]> {
  if (isLiteralAddress(host)) return [host];
  // RFC 6761, 6.3: the name must not be sent to a name server.
  if (isLoopbackName(host)) return ['127.0.0.1', '::1'];
  return resolve(host);
}

function openSocket(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((resolve, reject) => {
    // A name, not an address, so that `lookup` is called and all addresses are tried in turn (RFC 8305).
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

/** Answers with the checked addresses; the name is not resolved again. */
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
