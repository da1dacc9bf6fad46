const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a redirect URI cannot be registered, or undefined when it can: absolute, without fragment, and https, http on
 * loopback, or a private-use scheme with a dot (OAuth 2.1, 2.3; RFC 8252, 7.1).
 */
export function redirectUriProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URI';
  const url = new URL(text);
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return LOOPBACK.has(url.hostname) ? undefined : 'must use https unless it is on loopback';
  return url.protocol.includes('.') ? undefined : 'must use https, or a private-use scheme such as com.example.app';
}
