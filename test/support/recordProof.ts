import { appendFileSync } from 'node:fs';

/** One line of the table of proofs (docs/proofs.md). */
export interface ProofRecord {
  proof: string;
  /** What was done to the service. */
  injected: string;
  /** How often. */
  times: number;
  /** What must hold. */
  checked: string;
  /** What was seen. */
  figure: string;
  /** A broken variant, and what it showed. */
  broken: string;
}

/** Hands the line to `npm run proofs`, which prints them all; otherwise nothing. */
export function recordProof(record: ProofRecord): void {
  const { PROOF_RECORDS: file } = process.env;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(record)}\n`);
}
