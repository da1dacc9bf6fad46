import type { Request, Response } from 'express';

export interface CookieScope {
  path: string;
  /** Absent: the cookie lasts until the browser is closed. */
  maxAgeSeconds?: number;
}

/** The value of a cookie; the first one when a browser sends several with the name (RFC 6265, 5.4). */
export function readCookie(request: Pick<Request, 'headers'>, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Sets a cookie that scripts cannot read and forms of other sites cannot send. Values have only characters
 * that a cookie may have (RFC 6265, 4.1.1), as base64 does, so nothing is escaped.
 */
export function setCookie(
  baseUrl: string,
  response: Response,
  name: string,
  value: string,
  scope: CookieScope,
): void {
  const lifetime = scope.maxAgeSeconds === undefined ? '' : `; Max-Age=${scope.maxAgeSeconds}`;
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  response.append(
    'Set-Cookie',
    `${name}=${value}; Path=${scope.path}; HttpOnly; SameSite=Lax${lifetime}${secure}`,
  );
}

export function clearCookie(baseUrl: string, response: Response, name: string, path: string): void {
  setCookie(baseUrl, response, name, '', { path, maxAgeSeconds: 0 });
}

/**
 * Over https the prefix `__Host-` makes the browser reject a cookie set by another host, such as a subdomain.
 * Its path must be `/`.
 */
export function hostCookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}
