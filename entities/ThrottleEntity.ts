import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Counted attempts, so that limits hold over all nodes. */
@Entity({ name: 'throttles' })
@Index('throttles_expire_idx', ['expire'])
export class ThrottleEntity {
  @PrimaryColumn({ type: 'varchar', length: 255 })
  key: string;

  @Column({ type: 'integer', default: 0 })
  points: number;

  @Column({ type: 'bigint', nullable: true })
  expire: number | null;
}
