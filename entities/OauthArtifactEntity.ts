import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, Text, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';

/** An artifact of the authorization server: code, token, grant or session. Ids are stored as hashes. */
@Entity({ name: 'oauth_artifacts' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
@ForeignKey(() => OauthArtifactEntity, ['grantHash'], ['idHash'], {
  name: 'oauth_artifacts_grant_fkey',
  onDelete: 'CASCADE',
})
@Index('oauth_artifacts_uid_idx', { synchronize: false })
@Index('oauth_artifacts_grant_idx', { synchronize: false })
@Index('oauth_artifacts_account_idx', { synchronize: false })
@Index('oauth_artifacts_expires_at_idx', ['expiresAt'])
@Index('oauth_artifacts_app_idx', ['appId', 'accountId'])
export class OauthArtifactEntity {
  @Key() idHash: string;
  @Text() kind: string;
  @Text({ nullable: true }) appId: string | null;
  @Text({ nullable: true }) accountId: string | null;
  @Text({ nullable: true }) grantHash: string | null;
  @Text({ nullable: true }) uidHash: string | null;
  @Text({ nullable: true }) scope: string | null;
  @Text() payload: string;
  @Time() issuedAt: Date;
  @Time() expiresAt: Date;
  @Time({ nullable: true }) consumedAt: Date | null;
}

export const oauthArtifacts = new Table(OauthArtifactEntity);
