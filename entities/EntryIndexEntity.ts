import { Entity, ForeignKey } from 'typeorm';
import { Integer, Key, Text } from './columns.js';
import { OntologyEntity } from './OntologyEntity.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/**
 * The generation of an app's filter index of an ontology that readers use, and the one that a rebuild is
 * creating.
 */
@Entity({ name: 'entry_indexes' })
@ForeignKey(() => OntologyEntity, ['ontologyId'], ['ontologyId'])
export class EntryIndexEntity extends OfApp {
  @Key() ontologyId: string;
  @Integer({ default: 1 }) generation: number;
  @Integer({ nullable: true }) building: number | null;
  @Text({ nullable: true }) workflowId: string | null;
}

export const entryIndexes = new Table(EntryIndexEntity);
