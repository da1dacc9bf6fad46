import { Entity, ForeignKey } from 'typeorm';
import { Big, Key, Small, Time } from './columns.js';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/**
 * The sum of `tally_changes` in an hour. The hour `-infinity` contains the sum of all hours before the kept
 * ones.
 */
@Entity({ name: 'tallies' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
export class TallyEntity extends OfApp {
  @Key() measure: string;
  @Time({ primary: true }) hour: Date;
  /**
   * The key within a measure: a purpose, a purpose and decile of confidence, or a step of a duration; -1:
   * none.
   */
  @Small({ primary: true }) key: number;
  @Big() amount: number;
}
