import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';

/** The logo of an app, as it is served. Apart from `apps`, so that reading an app reads no picture. */
@Entity({ name: 'app_logos' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { name: 'app_logos_app_fkey', onDelete: 'CASCADE' })
export class AppLogoEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'app_logos_pkey' })
  appId: string;

  /** Of the picture; part of its address, which changes with it. */
  @Column({ type: 'text' })
  digest: string;

  @Column({ type: 'bytea' })
  png: Buffer;
}

export const appLogos = new Table(AppLogoEntity);
