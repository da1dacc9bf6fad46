import { hash } from 'node:crypto';
import { fromUUIDBytes } from 'typeid-js';
import { V7Generator } from 'uuidv7';

/**
 * TypeID prefixes: app, customer, connection session, receipt, claim, event, intent, workflow, webhook
 * endpoint, webhook delivery, account, erasure of an account or of an app. Internal: messages of the outbox,
 * mails, entries of the operators' log.
 */
export type IdPrefix =
  | 'app'
  | 'cus'
  | 'cs'
  | 'rcp'
  | 'clm'
  | 'evt'
  | 'int'
  | 'wf'
  | 'whe'
  | 'whd'
  | 'acc'
  | 'msg'
  | 'mail'
  | 'ers'
  | 'opl';

const generator = new V7Generator();

let clock: (() => Date) | undefined;

/** Dates the new identifiers of this process by the clock of all, as lists and their cursors go by them. */
export function dateIdsBy(common: () => Date): void {
  clock = common;
}

/**
 * A new identifier, `prefix_` + base32 UUIDv7, sortable by time; in this process by order, unless the clock
 * is set back by more than 10 s. Dated by the machine's clock before `dateIdsBy`.
 */
export function newId(prefix: IdPrefix): string {
  const uuid =
    clock === undefined ? generator.generate() : generator.generateOrResetWithTs(clock().getTime());
  return fromUUIDBytes(prefix, uuid.bytes);
}

/** What sorts before every identifier of that time and later. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  return fromUUIDBytes(prefix, bytes);
}

/** A deterministic identifier: `prefix_` + base32 UUIDv8 of the parts' SHA-256 (RFC 9562, 5.8). */
export function derivedId(prefix: string, canonicalParts: string): string {
  const bytes = hash('sha256', canonicalParts, 'buffer').subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return fromUUIDBytes(prefix, bytes);
}
