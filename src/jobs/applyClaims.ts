import { mapInSlices } from '../concurrency/mapInSlices.js';
import { textArray } from '../database/textArray.js';
import { purposeAt } from '../domain/purposes.js';
import { claimText } from '../documents/documentText.js';
import { CLAIM_TEXT, versionOf } from '../documents/StoredText.js';
import { headOf, placesOf, ROWS_GIVEN } from './ItemHandler.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import type { ItemHandler } from './ItemHandler.js';
import { failWorkflow } from './settleWorkflows.js';

/** Stores accepted claims for resolution. */
export const claimHandler: ItemHandler = {
  async apply(tx, _services, heads, rows, touched) {
    const documents = await mapInSlices(rows, documentOf);
    tx.send(
      `INSERT INTO claims (app_id, customer_id, sequence, claim_id, purpose, epoch, attribute, value, source,
        observed_at, context, confidence, provenance, document, text_version)
       SELECT $1, i.customer_id, i.sequence, i.item_id, i.purpose, i.epoch, i.payload ->> 'attribute',
              i.payload -> 'value', i.payload ->> 'source',
              (i.payload ->> 'observedAt')::timestamptz, i.payload ->> 'context',
              (i.payload ->> 'confidence')::double precision,
              i.payload -> 'provenance', given.document, ${versionOf(CLAIM_TEXT)}
         FROM unnest($2::text[], $3::bigint[], $4::text[]) AS given (customer_id, sequence, document)
         ${ROWS_GIVEN}
       RETURNING 1`,
      [tx.appId, ...placesOf(rows), textArray(documents)],
    );
    for (const row of rows) {
      const { purpose } = row;
      const attribute = String(row.payload['attribute']);
      touched.facts.set(`${row.customer_id}/${purpose}/${attribute}`, {
        head: headOf(heads, row),
        purpose,
        attribute,
      });
    }
  },
  async reject() {
    // A claim of a closed epoch stores nothing: its workflow completes without work for it.
  },
  async fail(tx, services, { workflow_id }, error) {
    if (workflow_id !== null) await failWorkflow(tx, services, workflow_id, error);
    // Kept, so that a retry of the workflow can process it again.
    return { kept: true };
  },
};

/** The claim as the API returns it. */
function documentOf({ item_id: id, customer_id: customerId, purpose, payload }: InboxRow): string {
  return claimText({ id, customerId, consentPurpose: purposeAt(purpose), ...payload });
}
