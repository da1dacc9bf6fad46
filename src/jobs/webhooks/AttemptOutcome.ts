import type { AttemptErrorCode } from './AttemptFailure.js';
import type { DropReason } from '../../access/consentGate.js';

/** `locked`: the customer's row stayed locked, so an attempt at once would be in vain. */
export type AttemptOutcome =
  AttemptMade | { kind: 'dropped'; reason: DropReason } | { kind: 'released'; locked?: true };

/** An attempt that counts: it reached the receiver, or tried to. */
export interface AttemptMade {
  kind: 'made';
  startedAt: Date;
  durationMs: number;
  statusCode?: number;
  errorCode?: AttemptErrorCode;
  retryAfterSeconds?: number;
  /** The first bytes of the answer, sanitised. */
  answer?: string;
}

/** Only 2xx: redirects are not followed, so they are failures. */
export function succeeded(attempt: AttemptMade): boolean {
  return attempt.statusCode !== undefined && attempt.statusCode >= 200 && attempt.statusCode < 300;
}
