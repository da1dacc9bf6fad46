import { ONTOLOGY_COLUMNS, toDomain } from '../../entities/OntologyEntity.js';
import type { OntologyRow } from '../../entities/OntologyEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { Ontology } from '../domain/catalog/Ontology.js';

/** The ontology that the transaction's app sees under the id. */
export async function findOntology(tx: Transaction, id: string): Promise<Ontology | undefined> {
  const row = await tx.one<OntologyRow>(`SELECT ${ONTOLOGY_COLUMNS} FROM ontologies WHERE ontology_id = $1`, [
    id,
  ]);
  return row === undefined ? undefined : toDomain(row);
}
