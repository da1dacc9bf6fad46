/** What a page may do beyond the strictest policy. */
export interface PagePolicy {
  /** Origins that may show the page in a frame; none when left out. */
  frameAncestors?: readonly string[];
  /**
   * Addresses that a form's answer may redirect to: browsers hold redirects after a form to `form-action`
   * too.
   */
  formTargets?: readonly string[];
  /** The page's scripts may call this service. */
  connects?: boolean;
}

/**
 * Security headers of every page that a person meets: own scripts and styles only, nothing inline, no
 * framing, no referrer (links can carry secrets), nothing stored on the way.
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

/** The origin of a web address; nothing for an app's own scheme, which cannot frame anything. */
function webOrigin(address: string): string[] {
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? [url.origin] : [];
}

/** A source expression: the origin of a web address, the bare scheme of a native app's redirect address. */
function formSource(address: string): string {
  return webOrigin(address)[0] ?? new URL(address).protocol;
}
