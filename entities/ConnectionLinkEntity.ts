import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, Text, Time } from './columns.js';
import { ConnectionSessionEntity } from './ConnectionSessionEntity.js';
import { Table } from './Table.js';

/** The app of a connection session, read by the link before any app is known. */
@Entity({ name: 'connection_links' })
@ForeignKey(() => ConnectionSessionEntity, ['appId', 'sessionId'], ['appId', 'sessionId'], {
  onDelete: 'CASCADE',
})
@Index('connection_links_app_idx', ['appId', 'sessionId'])
export class ConnectionLinkEntity {
  @Key() sessionId: string;
  @Text() appId: string;
  @Text() tokenHash: string;
  @Text({ nullable: true }) browserHash: string | null;
  @Time({ nullable: true }) redeemedAt: Date | null;
}

export const connectionLinks = new Table(ConnectionLinkEntity);
