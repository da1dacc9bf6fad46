import type { EffectiveConsent } from '../../schema/types/Consent.js';
import { toPurposeConsent } from '../../entities/ConsentReceiptEntity.js';
import type { ReceiptPurposeRow } from '../../entities/ConsentReceiptEntity.js';
import { batched, inOrder } from './batched.js';
import type { ReadScope } from './ReadScope.js';

interface ConsentRow {
  customer_id: string;
  latest_receipt_id: string | null;
  purposes: ReceiptPurposeRow[] | null;
}

const BY_CUSTOMER = {
  name: 'effective_consents',
  text: `SELECT h.customer_id, h.latest_receipt_id,
           (SELECT jsonb_agg(jsonb_build_object('purpose', c.purpose, 'granted_at', c.granted_at,
             'revoked_at', c.revoked_at) ORDER BY c.purpose)
              FROM customer_consents c WHERE c.app_id = $1 AND c.customer_id = h.customer_id) AS purposes
         FROM customer_heads h WHERE h.app_id = $1 AND h.customer_id = ANY ($2)`,
};

/** Each customer's latest decision on every purpose that was ever decided. */
async function loadEffectiveConsents(
  { services, appId }: ReadScope,
  ids: readonly string[],
): Promise<(EffectiveConsent | undefined)[]> {
  const rows = await services.database.readAs<ConsentRow>(appId, BY_CUSTOMER, [appId, ids]);
  const evaluatedAt = services.clock().toISOString();
  return inOrder(
    ids,
    rows,
    (row) => row.customer_id,
    (row) => toEffectiveConsent(row, evaluatedAt),
  );
}

/** The latest decisions of one customer. */
export const loadEffectiveConsent = batched(loadEffectiveConsents);

function toEffectiveConsent(row: ConsentRow, evaluatedAt: string): EffectiveConsent {
  return {
    customerId: row.customer_id,
    purposes: (row.purposes ?? []).map(toPurposeConsent),
    evaluatedAt,
    latestReceiptId: row.latest_receipt_id,
  };
}
