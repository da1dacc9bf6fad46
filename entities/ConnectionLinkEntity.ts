import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ConnectionSessionEntity } from './ConnectionSessionEntity.js';
import { Table } from './Table.js';

/** Which app a connection session belongs to: read from the link before any app is known. */
@Entity({ name: 'connection_links' })
@ForeignKey(() => ConnectionSessionEntity, ['appId', 'sessionId'], ['appId', 'sessionId'], {
  onDelete: 'CASCADE',
})
@Index('connection_links_app_idx', ['appId', 'sessionId'])
export class ConnectionLinkEntity {
  @PrimaryColumn({ type: 'text' })
  sessionId: string;

  @Column({ type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  tokenHash: string;

  @Column({ type: 'text', nullable: true })
  browserHash: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  redeemedAt: Date | null;
}

export const connectionLinks = new Table(ConnectionLinkEntity);
