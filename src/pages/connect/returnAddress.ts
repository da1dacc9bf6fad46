/**
 * The partner's URL with the outcome added (docs/contract.md#connection-sessions). Its other parameters stay.
 */
export function returnAddress(redirectUri: string, sessionId: string, status: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('session_id', sessionId);
  url.searchParams.set('status', status);
  return url.toString();
}
