import { Entity, ForeignKey } from 'typeorm';
import { Big, Key, Small, Time } from './columns.js';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/**
 * What `tally_changes` added up to in an hour. An hour of `-infinity` holds everything before those that are
 * kept.
 */
@Entity({ name: 'tallies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
export class TallyEntity extends OfApp {
  @Key() measure: string;
  @Time({ primary: true }) hour: Date;
  /**
   * What is counted apart: a purpose, a purpose and decile of confidence, a step of a duration; -1 for
   * nothing.
   */
  @Small({ primary: true }) key: number;
  @Big() amount: number;
}
