import type { Ontology as OntologyType } from '../../schema/types/Ontology.js';
import type { Transaction } from '../database/Transaction.js';
import { SLOT_FAMILY } from '../domain/catalog/nextVersion.js';
import type { Ontology, OntologyField } from '../domain/catalog/Ontology.js';

/** Stands in `app_id` of ontologies that every app sees. */
export const EVERY_APP = '*';

export interface OntologyRow extends Record<string, unknown> {
  ontology_id: string;
  app_id: string;
  name: string;
  version: string;
  fields: OntologyField[];
  identity_fields: string[];
  created_at: string;
  updated_at: string;
}

export const ONTOLOGY_COLUMNS = 'ontology_id, app_id, name, version, fields, identity_fields, created_at, updated_at';

export function toDomain(row: OntologyRow): Ontology {
  return {
    id: row.ontology_id,
    appId: row.app_id === EVERY_APP ? undefined : row.app_id,
    name: row.name,
    version: row.version,
    fields: row.fields,
    identityFields: row.identity_fields,
  };
}

export function toOntology(row: OntologyRow): OntologyType {
  return {
    id: row.ontology_id,
    name: row.name,
    version: row.version,
    fields: row.fields.map(({ slot, label, ...field }) => ({ ...field, label: label ?? null, internalSlot: slot })),
    identityFields: row.identity_fields,
    internalStorage: { compactSlotFamily: SLOT_FAMILY, persistenceBoundary: 'entry' },
  };
}

/** The ontology that the transaction's app sees under the id. */
export async function findOntology(tx: Transaction, id: string): Promise<Ontology | undefined> {
  const row = await tx.one<OntologyRow>(`SELECT ${ONTOLOGY_COLUMNS} FROM ontologies WHERE ontology_id = $1`, [id]);
  return row === undefined ? undefined : toDomain(row);
}
