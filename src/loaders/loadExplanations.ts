import type { FactExplanation } from '../../schema/types/FactExplanation.js';
import { GATE_TABLES, gateColumns, openSql, maskAt, passGate } from '../access/consentGate.js';
import type { Gated } from '../access/consentGate.js';
import { PLACE_OF } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { batched } from './batched.js';
import type { ReadScope } from './ReadScope.js';

export interface FactName {
  customerId: string;
  purpose: Purpose;
  attribute: string;
}

interface ExplanationRow {
  position: number;
  open_mask: number;
  allowed_mask: number;
  explanation: string | null;
}

/** Gate and data in one snapshot, as in `loadProfiles`. */
const OF_FACTS = {
  name: 'explanations_of_facts',
  text: `SELECT k.position, g.open_mask, g.allowed_mask, f.explanation
           FROM unnest($2::text[], $3::integer[], $4::text[]) WITH ORDINALITY AS k (customer_id, purpose,
             attribute, position)
          CROSS JOIN LATERAL (
            SELECT ${gateColumns(maskAt('k.purpose'))}
              FROM ${GATE_TABLES} WHERE h.app_id = $1 AND h.customer_id = k.customer_id) g
           LEFT JOIN facts f ON f.app_id = $1 AND f.customer_id = k.customer_id AND f.purpose = k.purpose
            AND f.attribute = k.attribute AND ${openSql('f')}`,
};

/** Defaults for explanations of facts that an earlier release resolved. */
const UNTOLD = { calibration: 0, age: null, model: null };

/** Explanations of facts, in the requested order; undefined where the customer is gone. */
async function loadExplanations(
  { services, appId }: ReadScope,
  names: readonly FactName[],
): Promise<(Gated<FactExplanation | null> | undefined)[]> {
  const rows = await services.database.readAs<ExplanationRow>(appId, OF_FACTS, [
    appId,
    names.map((name) => name.customerId),
    names.map((name) => PLACE_OF[name.purpose]),
    names.map((name) => name.attribute),
  ]);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return names.map((name, index) => {
    const row = byPosition.get(index + 1);
    if (row === undefined) return undefined;
    return passGate(name.purpose, row, () =>
      row.explanation === null ? null : { ...UNTOLD, ...(JSON.parse(row.explanation) as FactExplanation) },
    );
  });
}

/** The explanation of one fact. */
export const loadExplanation = batched(loadExplanations);
