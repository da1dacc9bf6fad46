import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/** A request of an app and how it was answered: nothing of its body, its query or whom it was about. */
@Entity({ name: 'request_log' })
@Index('request_log_request_idx', ['appId', 'requestId', 'entryId'])
@Index('request_log_failed_idx', ['appId', 'status', 'entryId'], { where: 'status >= 400' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
export class RequestLogEntity extends OfApp {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  entryId: number;

  @Column({ type: 'text' })
  requestId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  receivedAt: Date;

  @Column({ type: 'text' })
  method: string;

  /** The pattern of the path. */
  @Column({ type: 'text' })
  route: string;

  /** The REST operation, or the root fields of the GraphQL operation. */
  @Column({ type: 'text', nullable: true })
  operation: string | null;

  @Column({ type: 'smallint' })
  status: number;

  @Column({ type: 'text', nullable: true })
  code: string | null;

  @Column({ type: 'integer' })
  durationUs: number;
}
