import { purposeAt } from '../commands/receiptRow.js';
import type { ItemHandler } from './applyInbox.js';
import { failWorkflow } from './settleWorkflows.js';

/** Moves accepted claims to where resolution finds them. */
export const claimHandler: ItemHandler = {
  async apply(tx, _services, head, rows, touched) {
    await tx.execute(
      `INSERT INTO claims (app_id, customer_id, sequence, claim_id, purpose, epoch, attribute, value, source, observed_at, context, confidence, provenance)
       SELECT $1, $2, i.sequence, i.item_id, i.purpose, i.epoch, i.payload ->> 'attribute', i.payload -> 'value', i.payload ->> 'source',
              (i.payload ->> 'observedAt')::timestamptz, i.payload ->> 'context', (i.payload ->> 'confidence')::double precision,
              i.payload -> 'provenance'
         FROM inbox i WHERE i.app_id = $1 AND i.customer_id = $2 AND i.sequence = ANY ($3)`,
      [tx.appId, head.customer_id, rows.map(({ sequence }) => sequence)],
    );
    for (const { purpose, payload } of rows) {
      const attribute = String(payload['attribute']);
      touched.facts.set(`${purposeAt(purpose)}/${attribute}`, { purpose, attribute });
    }
  },
  async reject() {
    // A claim of a closed epoch leaves nothing behind: its workflow completes with nothing to do for it.
  },
  async fail(tx, services, _head, { workflow_id }, error) {
    if (workflow_id !== null) await failWorkflow(tx, services, workflow_id, error);
    // Kept, so that a retry of the workflow can take it up again.
    return { kept: true };
  },
};
