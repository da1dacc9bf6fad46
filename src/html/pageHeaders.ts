/** Permissions of a page beyond the strictest policy. */
export interface PagePolicy {
  /** Origins that may frame the page; none when absent. */
  frameAncestors?: readonly string[];
  /**
   * A form of the page may lead to another site. The page then has no `form-action`: browsers apply it to
   * every redirect after a form, also to those by which that site leads on to places not known here.
   */
  leadsAway?: boolean;
  /** The page's scripts may call this service. */
  connects?: boolean;
}

/**
 * Security headers of every page for people: own scripts and styles only, nothing inline, no framing, no
 * referrer (URLs can contain secrets), no caching.
 */
export function pageHeaders(policy: PagePolicy = {}): Record<string, string> {
  const ancestors = [...new Set((policy.frameAncestors ?? []).flatMap(webOrigin))];
  return {
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `img-src 'self'`,
      ...(policy.connects === true ? [`connect-src 'self'`] : []),
      ...(policy.leadsAway === true ? [] : [`form-action 'self'`]),
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
