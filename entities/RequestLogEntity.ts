import { Entity, ForeignKey, Index } from 'typeorm';
import { Big, Integer, Small, Text, Time } from './columns.js';
import { AppEntity } from './AppEntity.js';
import { OfApp } from './OfApp.js';

/** A request of an app and its status, without body, query and data of the customer. */
@Entity({ name: 'request_log' })
@Index('request_log_request_idx', ['appId', 'requestId', 'entryId'])
@Index('request_log_failed_idx', ['appId', 'status', 'entryId'], { where: 'status >= 400' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
export class RequestLogEntity extends OfApp {
  @Big({ primary: true, generated: 'identity', generatedIdentity: 'ALWAYS' }) entryId: number;
  @Text() requestId: string;
  @Time() receivedAt: Date;
  @Text() method: string;
  /** The pattern of the path. */
  @Text() route: string;
  /** The REST operation, or the root fields of the GraphQL operation. */
  @Text({ nullable: true }) operation: string | null;
  @Small() status: number;
  @Text({ nullable: true }) code: string | null;
  @Integer() durationUs: number;
}
