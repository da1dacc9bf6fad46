import { PURPOSES, purposeIndex, purposesOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';

/**
 * The consent gate, said once (docs/contract.md#consent). Data of a customer may be given out or processed
 * when its purpose is granted by the customer, allowed to the app, and in the epoch in which the data was
 * collected. Statements test that in the snapshot that reads the data; transactions test it on a head that
 * they hold locked.
 */

/** What the gate decides by: a customer's head, and the purposes that the app may use. */
export interface GateHead {
  granted_mask: number;
  allowed_mask: number;
  /** By the purpose's place. A slot that is missing has never been granted. */
  epochs: readonly number[];
}

/** What shuts a purpose: the purposes allowed to the app, or the customer's receipts. */
export type ShutBy = 'purpose' | 'receipt';

/**
 * What the gate let through or held back. A field marked `@consent` must resolve to one of these, or to
 * undefined where there is no such customer, so that data which never passed a gate cannot be given out by
 * mistake. Only statements that test consent and read
 * the data in one snapshot (`src/loaders`) make them.
 */
export type Gated<T> = GateOpen<T> | GateClosed;

export class GateOpen<T> {
  constructor(
    readonly value: T,
    /** Purposes whose data the value may hold. */
    readonly openMask: number,
  ) {}
}

export class GateClosed {
  constructor(
    readonly purpose: Purpose,
    readonly gate: ShutBy,
  ) {}
}

/** The tables of the gate: a customer's head `h` and its app `a`. */
export const GATE_TABLES = 'customer_heads h JOIN apps a ON a.app_id = h.app_id';

/** The columns of a `GateHead`. */
export const HEAD_COLUMNS = 'h.granted_mask, h.epochs, a.allowed_mask';

/** The columns that `isOpen` and `passGate` need. @param asked SQL of the mask of the purposes asked for */
export function gateColumns(asked: string): string {
  return `h.epochs, h.granted_mask & a.allowed_mask & ${asked} AS open_mask, a.allowed_mask & ${asked} AS allowed_mask`;
}

/** The mask of a purpose whose place is known to the statement only. @param place SQL */
export function maskAt(place: string): string {
  return `(1 << ${place})`;
}

/** The condition under which a gate (of `gateColumns`) lets a row with `purpose` and `epoch` through. */
export function isOpen(row: string, gate = 'g'): string {
  return `(${gate}.open_mask >> ${row}.purpose) & 1 = 1 AND ${isCurrent(row, gate)}`;
}

/** The condition under which a row is of its purpose's present epoch, open or not. */
export function isCurrent(row: string, head: string): string {
  return `${row}.epoch = ${head}.epochs[${row}.purpose + 1]`;
}

/** What a read may give out. @param purpose the one purpose asked for; undefined: every one that is open */
export function passGate<T>(
  purpose: Purpose | undefined,
  { open_mask, allowed_mask }: { open_mask: number; allowed_mask: number },
  read: () => T,
): Gated<T> {
  if (purpose !== undefined) {
    const place = purposeIndex(purpose);
    const reason = shut(hasBit(allowed_mask, place), hasBit(open_mask, place));
    if (reason !== undefined) return new GateClosed(purpose, reason);
  }
  return new GateOpen(read(), open_mask);
}

/** What shuts a purpose for a customer; undefined when it is open. */
export function shutBy(head: GateHead, place: number): ShutBy | undefined {
  return shut(hasBit(head.allowed_mask, place), hasBit(head.granted_mask, place));
}

/** Whether data collected for a purpose under an epoch may still be processed. Any doubt denies. */
export function isLive(head: GateHead, place: number, epoch: number): boolean {
  return shutBy(head, place) === undefined && head.epochs[place] === epoch;
}

/**
 * What keeps a purpose's facts back, or empty though it is open: a new grant begins a new epoch, which is
 * empty. Null when nothing does. Scopes decide before any purpose is looked at.
 */
export function decidingGate(head: GateHead, place: number, hasFacts: boolean): ShutBy | 'epoch' | null {
  const reason = shutBy(head, place);
  if (reason !== undefined) return reason;
  return !hasFacts && (head.epochs[place] ?? 0) > 1 ? 'epoch' : null;
}

/**
 * The columns by which `deliveryVerdict` decides, and what a delivery `d` is joined with for them. The head
 * is missing where the customer was erased.
 */
export const DELIVERY_GATE_COLUMNS = `d.customer_id, d.purpose_mask, d.epochs AS change_epochs, ${HEAD_COLUMNS},
         h.customer_id IS NOT NULL AS known, a.status = 'active' AS app_active`;
export const DELIVERY_GATE_JOINS = `JOIN apps a ON a.app_id = d.app_id
    LEFT JOIN customer_heads h ON h.app_id = d.app_id AND h.customer_id = d.customer_id`;

/** What a delivery is about, and what its customer's head says now, read in one snapshot. */
export interface DeliveryGateRow extends Record<string, unknown> {
  customer_id: string | null;
  /** Purposes of which one must be open. 0: the message is about none (`messageGate.ts`). */
  purpose_mask: number;
  change_epochs: number[] | null;
  granted_mask: number | null;
  allowed_mask: number;
  epochs: number[] | null;
  known: boolean;
  app_active: boolean;
}

export type DropReason = 'consent_withdrawn' | 'customer_erased' | 'app_disabled';

/** `open` names the purposes that may still be spoken of; absent when the delivery is about none. */
export type DeliveryVerdict = { allowed: true; open?: Purpose[] } | { allowed: false; reason: DropReason };

/**
 * Whether a delivery may be sent now: one of its purposes is open in the epoch of the change. Any doubt
 * denies.
 */
export function deliveryVerdict(row: DeliveryGateRow): DeliveryVerdict {
  if (!row.app_active) return { allowed: false, reason: 'app_disabled' };
  if (row.customer_id !== null && !row.known) return { allowed: false, reason: 'customer_erased' };
  if (row.purpose_mask === 0) return { allowed: true };
  const { granted_mask, allowed_mask, epochs, change_epochs } = row;
  const head = { granted_mask: granted_mask ?? 0, allowed_mask, epochs: epochs ?? [] };
  const open = purposesOf(row.purpose_mask).filter((purpose) => {
    const epoch = change_epochs?.[purposeIndex(purpose)];
    return epoch !== undefined && isLive(head, purposeIndex(purpose), epoch);
  });
  return open.length > 0 ? { allowed: true, open } : { allowed: false, reason: 'consent_withdrawn' };
}

/** A purpose's gate for a customer, of every purpose in the vocabulary's order. */
export function gatesOf(
  head: GateHead,
  filled: readonly number[],
): { purpose: Purpose; isOpen: boolean; decidedBy: ShutBy | 'epoch' | null }[] {
  return PURPOSES.map((purpose, place) => ({
    purpose,
    isOpen: shutBy(head, place) === undefined,
    decidedBy: decidingGate(head, place, filled.includes(place)),
  }));
}

function shut(isAllowed: boolean, isGranted: boolean): ShutBy | undefined {
  if (!isAllowed) return 'purpose';
  return isGranted ? undefined : 'receipt';
}

function hasBit(mask: number, place: number): boolean {
  return (mask & (1 << place)) !== 0;
}
