import type { PurposeGate } from '../../schema/types/PurposeGate.js';
import { decidingGate } from '../domain/decidingGate.js';
import { PURPOSES } from '../domain/purposes.js';
import type { Loaders } from './Loaders.js';

interface GateRow extends Record<string, unknown> {
  customer_id: string;
  granted_mask: number;
  allowed_mask: number;
  epochs: number[];
  /** Purposes with facts in their epoch that is open now. */
  filled: number[] | null;
}

const OF_CUSTOMERS = {
  name: 'gates_of_customers',
  text: `SELECT h.customer_id, h.granted_mask, a.allowed_mask, h.epochs,
                (SELECT array_agg(DISTINCT f.purpose::integer) FROM facts f
                  WHERE f.app_id = $1 AND f.customer_id = h.customer_id AND f.epoch = h.epochs[f.purpose + 1]) AS filled
           FROM customer_heads h JOIN apps a ON a.app_id = h.app_id WHERE h.app_id = $1 AND h.customer_id = ANY ($2)`,
};

/** For each customer every purpose's gate, in the vocabulary's order; undefined where the customer is gone. */
export async function loadGates(
  { services, appId }: Loaders,
  ids: readonly string[],
): Promise<(PurposeGate[] | undefined)[]> {
  const rows = await services.database.readAs<GateRow>(appId, OF_CUSTOMERS, [appId, ids]);
  const byId = new Map(rows.map((row) => [row.customer_id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : toGates(row);
  });
}

function toGates(row: GateRow): PurposeGate[] {
  return PURPOSES.map((purpose, index) => {
    const isAllowed = ((row.allowed_mask >> index) & 1) === 1;
    const isGranted = ((row.granted_mask >> index) & 1) === 1;
    const hasFacts = row.filled?.includes(index) ?? false;
    const decidedBy = decidingGate({ isAllowed, isGranted, epoch: row.epochs[index] ?? 0, hasFacts });
    return { purpose, isOpen: isAllowed && isGranted, decidedBy };
  });
}
