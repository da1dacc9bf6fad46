import { Entity, ForeignKey, Index } from 'typeorm';
import { Integer, Key, Time } from './columns.js';
import { EntryEntity } from './EntryEntity.js';
import { OfApp } from './OfApp.js';

/** One value of one field of an entry, for filtering entries. */
@Entity({ name: 'entry_filters' })
@ForeignKey(() => EntryEntity, ['appId', 'entryId'], ['appId', 'entryId'], { onDelete: 'CASCADE' })
@Index('entry_filters_entry_idx', ['appId', 'entryId'])
export class EntryFilterEntity extends OfApp {
  @Key() ontologyId: string;
  @Integer({ primary: true }) generation: number;
  @Key() slot: string;
  @Key() valueKey: string;
  @Time({ primary: true }) createdAt: Date;
  @Key() entryId: string;
}
