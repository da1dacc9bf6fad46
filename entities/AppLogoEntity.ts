import { Entity, ForeignKey } from 'typeorm';
import { Bytes, Text } from './columns.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** The logo of an app, as served. Separate from `apps`, so that reading an app does not read the picture. */
@Entity({ name: 'app_logos' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
export class AppLogoEntity extends OfApp {
  /** The digest of the picture. It is part of the picture's address, which changes with it. */
  @Text() digest: string;
  @Bytes() png: Buffer;
}

export const appLogos = new Table(AppLogoEntity);
