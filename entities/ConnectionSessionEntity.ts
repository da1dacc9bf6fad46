import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import type { SessionStatus } from '../src/domain/connectionSession.js';
import type { Purpose } from '../src/domain/purposes.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** A person being asked to connect their account to an app's customer. */
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
  @PrimaryColumn({ type: 'text' })
  sessionId: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'text' })
  status: SessionStatus;

  @Column({ type: 'text', array: true })
  requestedPurposes: Purpose[];

  @Column({ type: 'text', array: true, nullable: true })
  approvedPurposes: Purpose[] | null;

  /** Purposes approved and taken back before the partner recorded them. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  withdrawnPurposes: Purpose[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  withdrawnAt: Date | null;

  @Column({ type: 'text', nullable: true })
  redirectUri: string | null;

  @Column({ type: 'text', nullable: true })
  serviceUserId: string | null;

  @Column({ type: 'text', nullable: true })
  consentReceiptId: string | null;

  @Column({ type: 'text', nullable: true })
  revokedBy: 'person' | 'partner' | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

export const connectionSessions = new Table(ConnectionSessionEntity);
