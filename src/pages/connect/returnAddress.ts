/**
 * The partner's address with the outcome added (docs/contract.md#connection-sessions); what it carries
 * already stays.
 */
export function returnAddress(redirectUri: string, sessionId: string, status: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('session_id', sessionId);
  url.searchParams.set('status', status);
  return url.toString();
}
