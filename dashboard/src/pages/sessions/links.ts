const links = new Map<string, string>();

/**
 * A link is given out once, when its session is made: it is kept for as long as the page is open, and nowhere
 * else.
 */
export function rememberLink(sessionId: string, url: string): void {
  links.set(sessionId, url);
}

export function linkOf(sessionId: string): string | undefined {
  return links.get(sessionId);
}
