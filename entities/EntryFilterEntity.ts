import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EntryEntity } from './EntryEntity.js';

/** One value of one field of an entry, by which entries are found. */
@Entity({ name: 'entry_filters' })
@ForeignKey(() => EntryEntity, ['appId', 'entryId'], ['appId', 'entryId'], {
  name: 'entry_filters_entry_fkey',
  onDelete: 'CASCADE',
})
@Index('entry_filters_entry_idx', ['appId', 'entryId'])
export class EntryFilterEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'entry_filters_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'ontology_id', type: 'text', primaryKeyConstraintName: 'entry_filters_pkey' })
  ontologyId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'entry_filters_pkey' })
  generation: number;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'entry_filters_pkey' })
  slot: string;

  @PrimaryColumn({ name: 'value_key', type: 'text', primaryKeyConstraintName: 'entry_filters_pkey' })
  valueKey: string;

  @PrimaryColumn({
    name: 'created_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'entry_filters_pkey',
  })
  createdAt: Date;

  @PrimaryColumn({ name: 'entry_id', type: 'text', primaryKeyConstraintName: 'entry_filters_pkey' })
  entryId: string;
}
