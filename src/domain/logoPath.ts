/** The URL path of a logo. It changes with the picture, so it can be cached forever. */
export function logoPath(appId: string, digest: string): string {
  return `/logos/${appId}/${digest}.png`;
}
