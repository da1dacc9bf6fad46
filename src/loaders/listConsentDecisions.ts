import type { Connection } from '../../schema/connection.js';
import type { ConsentDecision } from '../../schema/types/ConsentDecision.js';
import type { LedgerRecord } from '../domain/ledger.js';
import { isPurpose } from '../domain/purposes.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

interface DecisionRow {
  ledger_sequence: number;
  record: string;
}

// The expression of consent_ledger_customer_idx.
const LIST = {
  name: 'consent_decisions_of_customer',
  text: `SELECT ledger_sequence, record FROM consent_ledger
          WHERE app_id = $1 AND (record::jsonb) ->> 'customer_id' = $4
            AND ($2::bigint IS NULL OR ledger_sequence < $2)
          ORDER BY ledger_sequence DESC LIMIT $3`,
};

const ALL = {
  name: 'consent_decisions',
  text: `SELECT FROM consent_ledger WHERE app_id = $1 AND (record::jsonb) ->> 'customer_id' = $2`,
};

/** The decisions on a customer's consent, newest first. */
export async function listConsentDecisions(
  { services, appId }: ReadScope,
  customerId: string,
  request: PageRequest,
): Promise<Connection<ConsentDecision>> {
  const scope = { appId, list: 'consent_decisions', filter: customerId };
  const page = new PageWindow(services.secrets, scope, request);
  const rows = await services.database.readAs<DecisionRow>(appId, LIST, [
    appId,
    page.after,
    page.limit,
    customerId,
  ]);
  const read = (row: DecisionRow) => ({ position: row.ledger_sequence, node: toDecision(row) });
  const count = countUpTo({ services, appId }, ALL, [appId, customerId]);
  return page.toPage(rows, read, count);
}

function toDecision({ ledger_sequence: sequence, record }: DecisionRow): ConsentDecision {
  const decision = JSON.parse(record) as LedgerRecord;
  return {
    id: String(sequence),
    action: decision.action,
    purposes: (decision.purposes ?? []).filter(isPurpose),
    receiptId: decision.receipt_id ?? '',
    reason: decision.reason ?? null,
    decidedBy: decision.decided_by ?? null,
    decidedAt: decision.decided_at,
  };
}
