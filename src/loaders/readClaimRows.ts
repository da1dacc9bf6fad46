import type { ClaimRow } from '../commands/claimRow.js';
import type { ReadScope } from './ReadScope.js';

export interface ClaimsQuestion {
  customerId: string;
  /** Mask of the purposes asked for. */
  asked: number;
  /** Claims of lower sequence only; null: from the newest. */
  before: number | null;
  /** Most claims. */
  most: number;
}

export interface ListedClaimRow extends ClaimRow {
  /** Of the question, from 1. */
  place: number;
  /** Purposes open for this read; 0 when the gate is closed. */
  open_mask: number;
  /** Purposes asked for that the app may use at all. */
  allowed_mask: number;
  /** Null on the one row that comes when no claim is visible. */
  sequence: number | null;
  purpose: number;
}

/** Gate and data in one snapshot, as in `readProfileRows`. */
const OF_CUSTOMERS = {
  name: 'claims_of_customers',
  text: `WITH gate AS MATERIALIZED (
           SELECT q.place, q.before, q.most, h.customer_id, h.epochs, h.granted_mask & a.allowed_mask & q.asked AS open_mask,
                  a.allowed_mask & q.asked AS allowed_mask
             FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::integer[]) WITH ORDINALITY AS q (customer_id, asked, before, most, place)
             JOIN customer_heads h ON h.app_id = $1 AND h.customer_id = q.customer_id
             JOIN apps a ON a.app_id = h.app_id)
         SELECT g.place, g.open_mask, g.allowed_mask, c.sequence, c.claim_id, c.purpose, c.attribute, c.value, c.source, c.observed_at, c.context, c.confidence, c.provenance
           FROM gate g LEFT JOIN LATERAL (
             SELECT c.* FROM claims c
              WHERE c.app_id = $1 AND c.customer_id = g.customer_id AND (g.open_mask >> c.purpose) & 1 = 1 AND c.epoch = g.epochs[c.purpose + 1]
                AND c.sequence < coalesce(g.before, 9223372036854775807)
              ORDER BY c.sequence DESC LIMIT g.most) c ON true
          ORDER BY g.place, c.sequence DESC`,
  onePlan: true,
};

/** For each question the rows of its page, newest accepted first; none where there is no such customer. */
export async function readClaimRows(
  { services, appId }: ReadScope,
  questions: readonly ClaimsQuestion[],
): Promise<ListedClaimRow[][]> {
  const rows = await services.database.readAs<ListedClaimRow>(appId, OF_CUSTOMERS, [
    appId,
    questions.map(({ customerId }) => customerId),
    questions.map(({ asked }) => asked),
    questions.map(({ before }) => before),
    questions.map(({ most }) => most),
  ]);
  const pages = questions.map((): ListedClaimRow[] => []);
  for (const row of rows) pages[row.place - 1]?.push(row);
  return pages;
}
