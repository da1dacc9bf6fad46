import { expect } from 'chai';
import fc from 'fast-check';
import { brokenLink, GENESIS_HASH, linkRecord } from '../../src/domain/ledger.js';
import type { LedgerEntry, LedgerRecord } from '../../src/domain/ledger.js';

const record: fc.Arbitrary<LedgerRecord> = fc.record({
  action: fc.constantFrom('granted' as const, 'revoked' as const, 'erased' as const),
  customer_id: fc.string(),
  purposes: fc.array(fc.string()),
  decided_at: fc.string(),
});

function chain(records: readonly LedgerRecord[]): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const next of records) {
    entries.push(linkRecord(entries.length + 1, entries.at(-1)?.hash ?? GENESIS_HASH, next));
  }
  return entries;
}

function firstBroken(entries: readonly LedgerEntry[]): string | undefined {
  let before = { sequence: 0, hash: GENESIS_HASH };
  for (const entry of entries) {
    const problem = brokenLink(entry, before);
    if (problem !== undefined) return problem;
    before = entry;
  }
  return undefined;
}

const ledgers = fc.array(record, { minLength: 2, maxLength: 12 }).map(chain);

describe('ledger', () => {
  it('verifies as it was written', () => {
    fc.assert(fc.property(ledgers, (entries) => firstBroken(entries) === undefined));
  });

  it('fails at a changed record, also if its own hash was recomputed', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(), record, (entries, pick, other) => {
        const place = pick % (entries.length - 1);
        const old = entries[place];
        if (old === undefined) return;
        const forged = linkRecord(old.sequence, old.previousHash, other);
        fc.pre(forged.record !== old.record);
        const changed = entries.with(place, { ...old, record: forged.record });
        expect(firstBroken(changed)).to.equal(`record ${place + 1} was changed`);
        expect(firstBroken(entries.with(place, forged))).to.equal(
          `record ${place + 2} does not follow record ${place + 1}`,
        );
      }),
    );
  });

  it('fails where a record was removed, inserted or moved', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(), (entries, pick) => {
        const place = pick % (entries.length - 1);
        expect(firstBroken(entries.toSpliced(place, 1))).to.equal(`record ${place + 1} is missing`);
        const [one, two] = [entries[place], entries[place + 1]];
        if (one === undefined || two === undefined) return;
        expect(firstBroken(entries.with(place, two).with(place + 1, one))).to.not.equal(undefined);
        expect(firstBroken(entries.toSpliced(place, 0, one))).to.not.equal(undefined);
      }),
    );
  });
});
