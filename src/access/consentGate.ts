import { ALL_PURPOSES_MASK, PLACE_OF, PURPOSES, purposesOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';

/**
 * The consent gate (docs/contract.md#consent), defined only here. A customer's data may be returned or
 * processed if its purpose is granted by the customer and allowed to the app, in the epoch in which the data
 * was collected. Statements test that in the snapshot that reads the data; transactions test it on a locked
 * head.
 */

/** The input of the gate: a customer's head, and the purposes that the app may use. */
export interface GateHead {
  granted_mask: number;
  allowed_mask: number;
  /** By the purpose's place. A missing place was never granted. */
  epochs: readonly number[];
}

/** What closes a purpose: the purposes allowed to the app, or the customer's receipts. */
export type ShutBy = 'purpose' | 'receipt';

/**
 * A value that the gate allowed or denied. A field marked `@consent` must resolve to one, or to undefined if
 * there is no such customer, so that ungated data cannot be returned by mistake. Only statements that test
 * consent and read the data in one snapshot (`src/loaders`) create them.
 */
export type Gated<T> = GateOpen<T> | GateClosed;

export class GateOpen<T> {
  constructor(
    readonly value: T,
    /** Purposes whose data the value may contain. */
    readonly openMask: number,
  ) {}

  /** Whether the value passed the gate of this purpose. */
  admits(purpose: Purpose): boolean {
    return hasBit(this.openMask, PLACE_OF[purpose]);
  }
}

export class GateClosed {
  constructor(
    readonly purpose: Purpose,
    readonly gate: ShutBy,
  ) {}
}

/** The tables of the gate: a customer's head `h` and its app `a`. */
export const GATE_TABLES = 'customer_heads h JOIN apps a ON a.app_id = h.app_id';

/**
 * A statement that locks a customer's head, shared, while something is sent that consent allows. Whoever
 * withdraws consent is let ahead of those that come later. PostgreSQL alone lets those who share a row pass
 * one who waits to change it, but it serves advisory locks in order; they are taken before the row.
 *
 * @param customer SQL of the customer's id
 */
export function shareHead(customer: string): string {
  return `SELECT pg_advisory_xact_lock_shared(hashtextextended(customer_id, 0)) FROM customer_heads
    WHERE app_id = $1 AND customer_id = ${customer} FOR SHARE`;
}

/** The same for the customers `$2` that nobody has locked and nobody withdraws; it waits for none. */
export const SHARE_FREE_HEADS = `
  SELECT customer_id FROM customer_heads
   WHERE app_id = $1 AND customer_id = ANY (ARRAY (SELECT id FROM unnest($2::text[]) AS id
     WHERE pg_try_advisory_xact_lock_shared(hashtextextended(id, 0))))
    FOR SHARE SKIP LOCKED`;

/** A column for the statement that locks the head `h` to withdraw consent. */
export const AHEAD_OF_SHARES = 'pg_advisory_xact_lock(hashtextextended(h.customer_id, 0))';

/** The columns of a `GateHead`. */
export const HEAD_COLUMNS = 'h.granted_mask, h.epochs, a.allowed_mask';

/** The mask of the purposes that a read asks for: the given one, or all. */
export function askedMask(purpose: Purpose | undefined): number {
  return purpose === undefined ? ALL_PURPOSES_MASK : 1 << PLACE_OF[purpose];
}

/** The columns for `openSql` and `passGate`. @param asked SQL of an `askedMask` */
export function gateColumns(asked: string): string {
  return `h.epochs, h.granted_mask & a.allowed_mask & ${asked} AS open_mask, a.allowed_mask & ${asked} AS allowed_mask`;
}

/** The mask of a purpose whose place only the statement knows. @param place SQL */
export function maskAt(place: string): string {
  return `(1 << ${place})`;
}

/** The condition under which a gate (of `gateColumns`) admits a row with `purpose` and `epoch`. */
export function openSql(row: string, gate = 'g'): string {
  return `(${gate}.open_mask >> ${row}.purpose) & 1 = 1 AND ${currentSql(row, gate)}`;
}

/** The condition that a row is of its purpose's current epoch, open or not. */
export function currentSql(row: string, head: string): string {
  return `${row}.epoch = ${head}.epochs[${row}.purpose + 1]`;
}

/** What a read may return. @param purpose the only requested purpose; undefined: every open one */
export function passGate<T>(
  purpose: Purpose | undefined,
  { open_mask, allowed_mask }: { open_mask: number; allowed_mask: number },
  read: () => T,
): Gated<T> {
  if (purpose !== undefined) {
    const place = PLACE_OF[purpose];
    const reason = shut(hasBit(allowed_mask, place), hasBit(open_mask, place));
    if (reason !== undefined) return new GateClosed(purpose, reason);
  }
  return new GateOpen(read(), open_mask);
}

/** Whether the app may use a purpose. */
export function isAllowed(head: Pick<GateHead, 'allowed_mask'>, place: number): boolean {
  return hasBit(head.allowed_mask, place);
}

/** What closes a purpose for a customer; undefined when it is open. */
export function shutBy(head: GateHead, place: number): ShutBy | undefined {
  return shut(isAllowed(head, place), hasBit(head.granted_mask, place));
}

/** The epoch under which data of a purpose is collected now. A purpose that was never granted has none: 0. */
export function epochAt(head: Pick<GateHead, 'epochs'>, place: number): number {
  return head.epochs[place] ?? 0;
}

/** Whether data collected for a purpose under an epoch may still be processed. Denies in doubt. */
export function isLive(head: GateHead, place: number, epoch: number): boolean {
  return shutBy(head, place) === undefined && head.epochs[place] === epoch;
}

/** Whether the consent that data was collected under goes on, also where the app may not use its purpose. */
export function isConsented(head: GateHead, place: number, epoch: number): boolean {
  return isLive({ ...head, allowed_mask: ALL_PURPOSES_MASK }, place, epoch);
}

/** Whether two looks at a customer's gate, or at none, found the same. */
export function isSameGate(a: GateHead, b: GateHead | undefined): boolean {
  if (a.granted_mask !== b?.granted_mask || a.allowed_mask !== b.allowed_mask) return false;
  return a.epochs.length === b.epochs.length && a.epochs.every((epoch, place) => epoch === b.epochs[place]);
}

/**
 * Why a purpose's facts are hidden, or empty although it is open: a new grant begins a new, empty epoch. Null
 * without a reason. Scopes are checked before any purpose.
 */
export function decidingGate(head: GateHead, place: number, hasFacts: boolean): ShutBy | 'epoch' | null {
  const reason = shutBy(head, place);
  if (reason !== undefined) return reason;
  return !hasFacts && epochAt(head, place) > 1 ? 'epoch' : null;
}

/**
 * The columns for `deliveryVerdict`, and the joins of a delivery `d` for them. An erased customer has no
 * head.
 */
export const DELIVERY_GATE_COLUMNS = `d.customer_id, d.purpose_mask, d.epochs AS change_epochs, ${HEAD_COLUMNS},
         h.customer_id IS NOT NULL AS known, a.status = 'active' AS app_active`;
export const DELIVERY_GATE_JOINS = `JOIN apps a ON a.app_id = d.app_id
    LEFT JOIN customer_heads h ON h.app_id = d.app_id AND h.customer_id = d.customer_id`;

/** A delivery's purposes and its customer's current head, from one snapshot. */
export interface DeliveryGateRow {
  customer_id: string | null;
  /** One of these purposes must be open. 0: the message has no purpose (`messageGate.ts`). */
  purpose_mask: number;
  change_epochs: number[] | null;
  granted_mask: number | null;
  allowed_mask: number;
  epochs: number[] | null;
  known: boolean;
  app_active: boolean;
}

export type DropReason = 'consent_withdrawn' | 'customer_erased' | 'app_disabled';

/** `open`: the purposes that the message may still name; absent when it has none. */
export type DeliveryVerdict = { allowed: true; open?: Purpose[] } | { allowed: false; reason: DropReason };

/**
 * Whether a delivery may be sent now: one of its purposes is open in the epoch of the change. Denies in
 * doubt.
 */
export function deliveryVerdict(row: DeliveryGateRow): DeliveryVerdict {
  if (!row.app_active) return { allowed: false, reason: 'app_disabled' };
  if (row.customer_id !== null && !row.known) return { allowed: false, reason: 'customer_erased' };
  if (row.purpose_mask === 0) return { allowed: true };
  const { granted_mask, allowed_mask, epochs, change_epochs } = row;
  const head = { granted_mask: granted_mask ?? 0, allowed_mask, epochs: epochs ?? [] };
  const open = purposesOf(row.purpose_mask).filter((purpose) => {
    const epoch = change_epochs?.[PLACE_OF[purpose]];
    return epoch !== undefined && isLive(head, PLACE_OF[purpose], epoch);
  });
  return open.length > 0 ? { allowed: true, open } : { allowed: false, reason: 'consent_withdrawn' };
}

/** A customer's gate of every purpose, in the vocabulary's order. */
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
