/** Where a logo is served. The name changes with the picture, so it may be kept for good. */
export function logoPath(appId: string, digest: string): string {
  return `/logos/${appId}/${digest}.png`;
}
