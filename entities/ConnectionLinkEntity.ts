import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ConnectionSessionEntity } from './ConnectionSessionEntity.js';
import { Table } from './Table.js';

/** Which app a connection session belongs to: read from the link before any app is known. */
@Entity({ name: 'connection_links' })
@ForeignKey(() => ConnectionSessionEntity, ['appId', 'sessionId'], ['appId', 'sessionId'], {
  name: 'connection_links_session_fkey',
  onDelete: 'CASCADE',
})
@Index('connection_links_app_idx', ['appId', 'sessionId'])
export class ConnectionLinkEntity {
  @PrimaryColumn({ name: 'session_id', type: 'text', primaryKeyConstraintName: 'connection_links_pkey' })
  sessionId: string;

  @Column({ name: 'app_id', type: 'text' })
  appId: string;

  @Column({ name: 'token_hash', type: 'text' })
  tokenHash: string;

  @Column({ name: 'browser_hash', type: 'text', nullable: true })
  browserHash: string | null;

  @Column({ name: 'redeemed_at', type: 'timestamptz', precision: 3, nullable: true })
  redeemedAt: Date | null;
}

export const connectionLinks = new Table(ConnectionLinkEntity);
