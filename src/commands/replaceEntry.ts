import type { ReplaceEntryInput } from '../../schema/inputs/EntryInput.js';
import type { EntryPayload } from '../../schema/types/Entry.js';
import type { Transaction } from '../database/Transaction.js';
import { notFound } from '../errors.js';
import { contentFrom, NO_CONTENT, requireOntology, requireSameIdentity, requireValid } from './checkEntry.js';
import type { CommandContext } from './CommandContext.js';
import { lockEntry, updateEntry } from './writeEntry.js';

/**
 * Replaces an entry as a whole: what is absent is removed. The identity fields must still match
 * (docs/contract.md#entries-and-ontologies).
 *
 * @throws ServiceError `not_found` for an unknown id, 422 naming every problem, `conflict` for another
 *   identity
 */
export async function replaceEntry(
  tx: Transaction,
  context: CommandContext,
  id: string,
  input: ReplaceEntryInput,
): Promise<EntryPayload> {
  const known = await lockEntry(tx, id);
  if (known === undefined) throw notFound('entry');
  const ontology = await requireOntology(tx, input.ontology);
  const content = contentFrom(input, NO_CONTENT);
  const otherId = input.entryId !== undefined && input.entryId !== null && input.entryId !== id;
  const problems = otherId
    ? [{ code: 'conflicting_fields', message: 'must be the id in the path', field: 'entry_id' }]
    : [];
  requireValid(ontology, content, problems);
  requireSameIdentity(ontology, known, content);
  return updateEntry(tx, context, known, ontology, content);
}
