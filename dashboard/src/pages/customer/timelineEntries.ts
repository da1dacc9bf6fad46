import type { ConsentPurpose } from '../../gql/graphql.ts';
import type { Receipt } from './ConsentPart.tsx';

/** A decision: purposes granted or withdrawn together. */
export interface TimelineEntry {
  key: string;
  kind: 'granted' | 'withdrawn';
  at: string;
  purposes: ConsentPurpose[];
  receipt: Receipt;
}

/** Newest first; what one receipt granted or lost in the same moment is one decision. */
export function timelineEntries(receipts: readonly Receipt[]): TimelineEntry[] {
  const entries = new Map<string, TimelineEntry>();
  const note = (kind: TimelineEntry['kind'], at: string | null, purpose: ConsentPurpose, receipt: Receipt): void => {
    if (at === null) return;
    const key = `${receipt.id} ${kind} ${at}`;
    const entry = entries.get(key) ?? { key, kind, at, purposes: [], receipt };
    entry.purposes.push(purpose);
    entries.set(key, entry);
  };
  for (const receipt of receipts) {
    for (const { purpose, grantedAt, revokedAt } of receipt.purposes) {
      note('granted', grantedAt, purpose, receipt);
      note('withdrawn', revokedAt, purpose, receipt);
    }
  }
  return [...entries.values()].toSorted((a, b) => b.at.localeCompare(a.at) || (a.kind === 'withdrawn' ? -1 : 1));
}
