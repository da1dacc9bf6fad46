import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, Text, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';

/** A session of the dashboard or GraphiQL in a browser, for one app. Its access token is stored encrypted. */
@Entity({ name: 'graphiql_sessions' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
@Index('graphiql_sessions_account_idx', ['accountId'])
@Index('graphiql_sessions_app_idx', ['appId'])
@Index('graphiql_sessions_expires_at_idx', ['expiresAt'])
export class AppSessionEntity {
  @Key() tokenHash: string;
  @Text() accountId: string;
  @Text() appId: string;
  @Text() sealed: string;
  @Time() expiresAt: Date;
}

// The table keeps its original name, so that processes of two releases can run concurrently.
export const appSessions = new Table(AppSessionEntity);
