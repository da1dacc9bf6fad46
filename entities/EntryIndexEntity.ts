import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OntologyEntity } from './OntologyEntity.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/**
 * Which generation of an app's filter index of an ontology readers use, and which one a rebuild is making.
 */
@Entity({ name: 'entry_indexes' })
@ForeignKey(() => OntologyEntity, ['ontologyId'], ['ontologyId'])
export class EntryIndexEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  ontologyId: string;

  @Column({ type: 'integer', default: 1 })
  generation: number;

  @Column({ type: 'integer', nullable: true })
  building: number | null;

  @Column({ type: 'text', nullable: true })
  workflowId: string | null;
}

export const entryIndexes = new Table(EntryIndexEntity);
