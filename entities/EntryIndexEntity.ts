import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OntologyEntity } from './OntologyEntity.js';
import { Table } from './Table.js';

/**
 * Which generation of an app's filter index of an ontology readers use, and which one a rebuild is making.
 */
@Entity({ name: 'entry_indexes' })
@ForeignKey(() => OntologyEntity, ['ontologyId'], ['ontologyId'], { name: 'entry_indexes_ontology_fkey' })
export class EntryIndexEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'entry_indexes_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'ontology_id', type: 'text', primaryKeyConstraintName: 'entry_indexes_pkey' })
  ontologyId: string;

  @Column({ type: 'integer', default: 1 })
  generation: number;

  @Column({ type: 'integer', nullable: true })
  building: number | null;

  @Column({ name: 'workflow_id', type: 'text', nullable: true })
  workflowId: string | null;
}

export const entryIndexes = new Table(EntryIndexEntity);
