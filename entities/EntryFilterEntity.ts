import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EntryEntity } from './EntryEntity.js';
import { OfApp } from './OfApp.js';

/** One value of one field of an entry, by which entries are found. */
@Entity({ name: 'entry_filters' })
@ForeignKey(() => EntryEntity, ['appId', 'entryId'], ['appId', 'entryId'], { onDelete: 'CASCADE' })
@Index('entry_filters_entry_idx', ['appId', 'entryId'])
export class EntryFilterEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  ontologyId: string;

  @PrimaryColumn({ type: 'integer' })
  generation: number;

  @PrimaryColumn({ type: 'text' })
  slot: string;

  @PrimaryColumn({ type: 'text' })
  valueKey: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn({ type: 'text' })
  entryId: string;
}
