import { isUri, isWebUrl } from './uri.js';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a redirect URI cannot be registered, or undefined when it can: absolute, without fragment, and https,
 * http on loopback, or a private-use scheme with a dot (OAuth 2.1, 2.3; RFC 8252, 7.1). Matching is exact, so
 * a wildcard would match nothing and mislead readers.
 */
export function redirectUriProblem(text: string): string | undefined {
  if (!isUri(text)) return 'must be an absolute URI';
  if (text.includes('*')) return 'must not have a wildcard: it is matched exactly';
  const url = new URL(text);
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  if (isWeb(url) && !(isWebUrl(text) && isHost(url.hostname))) return 'must name a host';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return LOOPBACK.has(url.hostname) ? undefined : 'must use https unless it is on loopback';
  return url.protocol.includes('.')
    ? undefined
    : 'must use https, or a private-use scheme such as com.example.app';
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** A DNS name or an address. The URL parser has made it lower-case ASCII. */
function isHost(name: string): boolean {
  if (name.startsWith('[')) return true;
  const labels = name.replace(/\.$/, '').split('.');
  return name.length <= 253 && labels.every((label) => LABEL.test(label));
}
