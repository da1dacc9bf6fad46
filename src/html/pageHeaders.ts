/** Permissions of a page beyond the strictest policy. */
export interface PagePolicy {
  /** Origins that may frame the page; none when absent. */
  frameAncestors?: readonly string[];
  /**
   * URLs to which a form's response may redirect: browsers apply `form-action` to redirects after a form too.
   */
  formTargets?: readonly string[];
  /** The page's scripts may call this service. */
  connects?: boolean;
}

/**
 * Security headers of every page for people: own scripts and styles only, nothing inline, no framing, no
 * referrer (URLs can contain secrets), no caching.
 */
export function pageHeaders(policy: PagePolicy = {}): Record<string, string> {
  const ancestors = [...new Set((policy.frameAncestors ?? []).flatMap(webOrigin))];
  const targets = [...new Set((policy.formTargets ?? []).map(formSource))];
  return {
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `img-src 'self'`,
      ...(policy.connects === true ? [`connect-src 'self'`] : []),
      `form-action ${["'self'", ...targets].join(' ')}`,
      `base-uri 'none'`,
      `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
    ].join('; '),
    ...(ancestors.length > 0 ? {} : { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  };
}

/** The origin of a web URL; none for a custom scheme, which cannot frame anything. */
function webOrigin(address: string): string[] {
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? [url.origin] : [];
}

/** A CSP source expression: the origin of a web URL, or the scheme of a native app's redirect URI. */
function formSource(address: string): string {
  return webOrigin(address)[0] ?? new URL(address).protocol;
}
