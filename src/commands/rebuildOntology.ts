import { entryIndexes } from '../../entities/EntryIndexEntity.js';
import { anyOf } from '../../entities/Table.js';
import { workflows } from '../../entities/WorkflowEntity.js';
import type { RebuildOntologyPayload } from '../../schema/types/Ontology.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';
import { notFound } from '../errors.js';
import type { CommandContext } from './CommandContext.js';
import { holdIndex } from './entryIndex.js';
import { findOntology } from './findOntology.js';
import { insertWorkflow, workflowUrl } from './insertWorkflow.js';

/**
 * Rebuilds the app's filter index of an ontology. A rebuild under way includes everything written meanwhile,
 * so a second request shares its workflow.
 */
export async function rebuildOntology(
  tx: Transaction,
  { now }: CommandContext,
  id: string,
): Promise<RebuildOntologyPayload> {
  if ((await findOntology(tx, id)) === undefined) throw notFound('ontology');
  const index = await holdIndex(tx, id, 'FOR NO KEY UPDATE');
  const workflowId = (await openWorkflow(tx, index.workflow_id)) ?? (await begin(tx, id, now));
  return {
    workflowId,
    status: 'accepted',
    acceptedAt: now.toISOString(),
    statusUrl: workflowUrl(workflowId),
  };
}

async function openWorkflow(tx: Transaction, workflowId: string | null): Promise<string | undefined> {
  if (workflowId === null) return undefined;
  const key = { app_id: tx.app, workflow_id: workflowId };
  const isOpen = await workflows.has(tx, { ...key, status: anyOf(['accepted', 'running'] as const) });
  return isOpen ? workflowId : undefined;
}

async function begin(tx: Transaction, ontologyId: string, now: Date): Promise<string> {
  const workflowId = insertWorkflow(tx, 'ontology_fields_rebuild', { ontology_id: ontologyId }, now);
  const key = { app_id: tx.app, ontology_id: ontologyId };
  await entryIndexes.update(tx, key, { workflow_id: workflowId });
  enqueue(tx, 'workflow', [workflowId], now);
  return workflowId;
}
