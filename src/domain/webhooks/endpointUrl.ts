import type { ErrorDetail } from '../../errors.js';
import { classifyAddress } from './classifyAddress.js';

/** Which receivers are allowed. Outside production the developer's own machine is one too. */
export interface ReceiverPolicy {
  allowLoopback: boolean;
  /** Without TLS, only to loopback. */
  allowHttp: boolean;
}

const MAX_URL = 2048;

/** What the URL parser would remove, replace or add, so that others might read another host. */
const MENDED = /[\s\p{Cc}\\]|^https?:(?!\/\/[^/])/iu;

/** Names of this machine or its network, whatever DNS says (RFC 6761, RFC 6762, RFC 9476; cloud metadata). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|home\.arpa|onion|invalid)\.?$/;
const LOOPBACK_NAME = /(^|\.)localhost\.?$/;

/**
 * A URL's host, without the brackets of IPv6. `URL` made octal, hexadecimal and short IPv4 dotted decimal.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function isLiteralAddress(host: string): boolean {
  return host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}

function isLoopback(host: string): boolean {
  return isLiteralAddress(host) ? classifyAddress(host) === 'loopback' : isLoopbackName(host);
}

/** Whether a socket may be opened to the address. */
export function mayConnectTo(address: string, policy: ReceiverPolicy): boolean {
  const found = classifyAddress(address);
  return found === 'public' || (found === 'loopback' && policy.allowLoopback);
}

/** Every reason not to register a URL. The addresses of its name are checked at each connection. */
export function endpointUrlProblems(text: string, policy: ReceiverPolicy): ErrorDetail[] {
  if (text.length > MAX_URL) return [problem('too_long', `The URL must have at most ${MAX_URL} characters.`)];
  if (!URL.canParse(text) || MENDED.test(text)) return [problem('invalid_url', 'The URL is not valid.')];
  const url = new URL(text);
  return [...schemeProblems(url, policy), ...partProblems(url), ...hostProblems(url, policy)];
}

function schemeProblems(url: URL, policy: ReceiverPolicy): ErrorDetail[] {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && policy.allowHttp && isLoopback(hostOf(url))))
    return [];
  return [problem('https_required', 'The URL must begin with https://.')];
}

function partProblems(url: URL): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (url.username !== '' || url.password !== '')
    problems.push(problem('credentials_in_url', 'The URL must not carry credentials.'));
  if (url.hash !== '') problems.push(problem('fragment_in_url', 'The URL must not have a fragment.'));
  return problems;
}

function hostProblems(url: URL, policy: ReceiverPolicy): ErrorDetail[] {
  const host = hostOf(url);
  if (isLiteralAddress(host) ? mayConnectTo(host, policy) : mayResolve(host, policy)) return [];
  return [problem('forbidden_address', 'The URL must lead to a public address.')];
}

function mayResolve(host: string, policy: ReceiverPolicy): boolean {
  if (isLoopbackName(host)) return policy.allowLoopback;
  return host !== '' && !LOCAL_NAME.test(host);
}

function problem(code: string, message: string): ErrorDetail {
  return { code, message, field: 'url' };
}
