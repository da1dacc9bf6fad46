import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';

/** What the authorization server issued: codes, tokens, grants, sessions. Ids are kept as hashes. */
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
  @PrimaryColumn({ type: 'text' })
  idHash: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column({ type: 'text', nullable: true })
  accountId: string | null;

  @Column({ type: 'text', nullable: true })
  grantHash: string | null;

  @Column({ type: 'text', nullable: true })
  uidHash: string | null;

  @Column({ type: 'text', nullable: true })
  scope: string | null;

  @Column({ type: 'text' })
  payload: string;

  @Column({ type: 'timestamptz', precision: 3 })
  issuedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  consumedAt: Date | null;
}

export const oauthArtifacts = new Table(OauthArtifactEntity);
