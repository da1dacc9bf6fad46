import { openPurposes } from '../../domain/webhooks/consentGate.js';
import type { Purpose } from '../../domain/purposes.js';

/** What a delivery is about and what its customer's head says now, read in one snapshot. */
export interface DeliveryGateRow extends Record<string, unknown> {
  customer_id: string | null;
  purpose_mask: number;
  epochs: number[] | null;
  /** Purposes that are granted now and allowed to the app. */
  open_mask: number | null;
  epochs_now: number[] | null;
  /** Whether the customer still exists. */
  known: boolean;
  app_active: boolean;
}

export type DropReason = 'consent_withdrawn' | 'customer_erased' | 'app_disabled';

/** `open` names the purposes that may still be spoken of; absent when the delivery is about none. */
export type ConsentVerdict = { allowed: true; open?: Purpose[] } | { allowed: false; reason: DropReason };

/** Whether a delivery may be sent now. Any doubt (no head, no epochs) denies. */
export function consentVerdict(row: DeliveryGateRow): ConsentVerdict {
  if (!row.app_active) return { allowed: false, reason: 'app_disabled' };
  if (row.customer_id !== null && !row.known) return { allowed: false, reason: 'customer_erased' };
  if (row.purpose_mask === 0) return { allowed: true };
  const now = { grantedMask: row.open_mask ?? 0, epochs: row.epochs_now ?? [] };
  const open = openPurposes(row.purpose_mask, row.epochs ?? [], now);
  return open.length > 0 ? { allowed: true, open } : { allowed: false, reason: 'consent_withdrawn' };
}
