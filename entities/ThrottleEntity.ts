import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Big, Integer } from './columns.js';

/** Counted attempts, so that limits apply across all nodes. */
@Entity({ name: 'throttles' })
@Index('throttles_expire_idx', ['expire'])
export class ThrottleEntity {
  @PrimaryColumn({ type: 'varchar', length: 255 }) key: string;
  @Integer({ default: 0 }) points: number;
  @Big({ nullable: true }) expire: number | null;
}
