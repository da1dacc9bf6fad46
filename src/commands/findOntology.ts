import { ontologies, toDomain } from '../../entities/OntologyEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { Ontology } from '../domain/catalog/Ontology.js';

/** The ontology that the transaction's app sees under the id. */
export async function findOntology(tx: Transaction, id: string): Promise<Ontology | undefined> {
  const row = await ontologies.find(tx, ontologies.columns, { ontology_id: id });
  return row === undefined ? undefined : toDomain(row);
}
