import type { PurposeGate } from '../../schema/types/PurposeGate.js';
import { GATE_TABLES, HEAD_COLUMNS, gatesOf, currentSql } from '../access/consentGate.js';
import type { GateHead } from '../access/consentGate.js';
import { batched, inOrder } from './batched.js';
import type { ReadScope } from './ReadScope.js';

interface GateRow extends GateHead {
  customer_id: string;
  /** Purposes with facts in their current open epoch. */
  filled: number[] | null;
}

const OF_CUSTOMERS = {
  name: 'gates_of_customers',
  text: `SELECT h.customer_id, ${HEAD_COLUMNS},
                (SELECT array_agg(DISTINCT f.purpose::integer) FROM facts f
                  WHERE f.app_id = $1 AND f.customer_id = h.customer_id AND ${currentSql('f', 'h')}) AS filled
           FROM ${GATE_TABLES} WHERE h.app_id = $1 AND h.customer_id = ANY ($2)`,
};

/** Each customer's gates of all purposes, in the vocabulary's order; undefined where the customer is gone. */
async function loadGates(
  { services, appId }: ReadScope,
  ids: readonly string[],
): Promise<(PurposeGate[] | undefined)[]> {
  const rows = await services.database.readAs<GateRow>(appId, OF_CUSTOMERS, [appId, ids]);
  return inOrder(
    ids,
    rows,
    (row) => row.customer_id,
    (row) => gatesOf(row, row.filled ?? []),
  );
}

/** The gates of one customer. */
export const loadGatesOf = batched(loadGates);
