import { Check, Entity, ForeignKey, Index } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import type { SessionStatus } from '../src/domain/connectionSession.js';
import type { Purpose } from '../src/domain/purposes.js';
import { Key, Text, TextList, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** A request to a person to connect their account to an app's customer. */
@Entity({ name: 'connection_sessions' })
@Check('connection_sessions_revoked_by_check', "revoked_by = ANY (ARRAY['person'::text, 'partner'::text])")
@Check(
  'connection_sessions_status_check',
  "status = ANY (ARRAY['created'::text, 'authorized'::text, 'completed'::text, 'expired'::text, 'revoked'::text])",
)
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('connection_sessions_customer_idx', { synchronize: false })
@Index('connection_sessions_authorized_idx', { synchronize: false })
@Index('connection_sessions_status_idx', ['appId', 'status', 'sessionId'])
export class ConnectionSessionEntity extends OfApp {
  @Key() sessionId: string;
  @Text() customerId: string;
  @Text() status: SessionStatus;
  @TextList() requestedPurposes: Purpose[];
  @TextList({ nullable: true }) approvedPurposes: Purpose[] | null;
  /** Purposes that were approved and withdrawn before the partner recorded them. */
  @TextList({ default: () => "'{}'" }) withdrawnPurposes: Purpose[];
  @Time({ nullable: true }) withdrawnAt: Date | null;
  @Text({ nullable: true }) redirectUri: string | null;
  @Text({ nullable: true }) serviceUserId: string | null;
  @Text({ nullable: true }) consentReceiptId: string | null;
  @Text({ nullable: true }) revokedBy: 'person' | 'partner' | null;
  @Time() createdAt: Date;
  @Time() expiresAt: Date;
}

export const connectionSessions = new Table(ConnectionSessionEntity);

export const SESSION_COLUMNS = columnsOf(ConnectionSessionEntity);
