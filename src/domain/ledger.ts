import { hash } from 'node:crypto';
import { canonicalJson } from './canonicalJson.js';

/** The previous hash of a ledger's first record. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * One decision in an app's consent ledger: ids and purposes only, so no personal data outlives an erasure.
 */
export interface LedgerRecord {
  action: 'granted' | 'revoked' | 'erased';
  customer_id: string;
  receipt_id?: string;
  purposes?: readonly string[];
  terms_version?: string;
  privacy_policy_version?: string;
  reason?: string;
  /** The person on a hosted page, or the partner through the API. */
  decided_by?: 'person' | 'partner';
  /** SHA-256 of the canonical evidence: it can be proven without being stored here. */
  evidence_hash?: string;
  decided_at: string;
}

export interface LedgerEntry {
  sequence: number;
  record: string;
  previousHash: string;
  hash: string;
}

/** Links a record to the previous one: SHA-256 over sequence, previous hash and RFC 8785 text. */
export function linkRecord(sequence: number, previousHash: string, record: LedgerRecord): LedgerEntry {
  const text = canonicalJson(record);
  return { sequence, record: text, previousHash, hash: hashOf(sequence, previousHash, text) };
}

function hashOf(sequence: number, previousHash: string, record: string): string {
  return hash('sha256', `${sequence}\n${previousHash}\n${record}`, 'hex');
}

/** What is wrong with the link from the previous entry to this one; undefined when it is valid. */
export function brokenLink(
  entry: LedgerEntry,
  before: { sequence: number; hash: string },
): string | undefined {
  if (entry.sequence !== before.sequence + 1) return `record ${before.sequence + 1} is missing`;
  if (entry.previousHash !== before.hash)
    return `record ${entry.sequence} does not follow record ${before.sequence}`;
  const expected = hashOf(entry.sequence, entry.previousHash, entry.record);
  return expected === entry.hash ? undefined : `record ${entry.sequence} was changed`;
}
