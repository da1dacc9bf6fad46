import type { CreateEntryInput } from '../../schema/inputs/EntryInput.js';
import type { EntryPayload } from '../../schema/types/Entry.js';
import type { Transaction } from '../database/Transaction.js';
import { derivedEntryId } from '../domain/catalog/entryIdentity.js';
import { entryFieldProblems } from '../domain/catalog/entryFields.js';
import type { Ontology } from '../domain/catalog/Ontology.js';
import { validationFailed } from '../errors.js';
import { contentFrom, NO_CONTENT, requireOntology, requireSameIdentity, requireValid } from './checkEntry.js';
import type { CommandContext } from './CommandContext.js';
import { contentOf } from '../../entities/EntryEntity.js';
import { insertEntry, lockEntry, updateEntry } from './writeEntry.js';

/**
 * Creates or updates an entry by its id, which is given or derived from the identity fields
 * (docs/contract.md#entries-and-ontologies). In an update omitted members stay; a given `fields` or `media`
 * replaces the whole object.
 */
export async function createEntry(
  tx: Transaction,
  context: CommandContext,
  input: CreateEntryInput,
): Promise<EntryPayload> {
  const ontology = await requireOntology(tx, input.ontology);
  const entryId = requireId(context.appId, ontology, input);
  const updated = await upsertKnown(tx, context, entryId, input);
  if (updated !== undefined) return updated;
  const content = contentFrom(input, NO_CONTENT);
  requireValid(ontology, content);
  const created = await insertEntry(tx, context, entryId, ontology, content);
  const settled = created ?? (await upsertKnown(tx, context, entryId, input));
  if (settled === undefined) throw new Error('The entry was neither created nor found.');
  return settled;
}

function requireId(appId: string, ontology: Ontology, input: CreateEntryInput): string {
  const fields = contentFrom(input, NO_CONTENT).fields;
  const id = input.entryId ?? derivedEntryId(appId, ontology, fields);
  if (id !== undefined) return id;
  const names = ontology.identityFields.join(', ');
  const unless = names === '' ? '' : ` unless the identity fields are given: ${names}`;
  const missing = { code: 'required', message: `is required${unless}`, field: 'entry_id' };
  throw validationFailed([missing, ...entryFieldProblems(ontology.fields, fields)]);
}

async function upsertKnown(
  tx: Transaction,
  context: CommandContext,
  entryId: string,
  input: CreateEntryInput,
): Promise<EntryPayload | undefined> {
  // The version is read once the entry is locked: others may have written fields of a newer one meanwhile.
  const [known, ontology] = await Promise.all([lockEntry(tx, entryId), requireOntology(tx, input.ontology)]);
  if (known === undefined) return undefined;
  const content = contentFrom(input, contentOf(known, ontology.fields));
  requireValid(ontology, content);
  requireSameIdentity(ontology, known, content);
  return updateEntry(tx, context, known, ontology, content);
}
