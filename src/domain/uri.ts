/** An absolute URI in the characters of RFC 3986. The URL parser would silently mend others. */
const URI = /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;

/** The URL parser reads `https:cb` and `https:///cb` as the host `cb`. */
const WEB_WITH_HOST = /^https?:\/\/[^/]/i;

export function isUri(text: string): boolean {
  return URI.test(text) && URL.canParse(text);
}

/** Whether it is an http or https URI that names a host. */
export function isWebUrl(text: string): boolean {
  return WEB_WITH_HOST.test(text) && isUri(text);
}
