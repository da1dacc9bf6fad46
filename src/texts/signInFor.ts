/** The address of the page that signs in and leads on to another page of ours. */
export function signInFor(baseUrl: string, returnTo: string | undefined): string {
  const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  return `${baseUrl}/sign-in${query}`;
}
