import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AppEntity } from './AppEntity.js';
import { OntologyEntity } from './OntologyEntity.js';

/** A catalog entry. Its fields are kept under the slots of its ontology. */
@Entity({ name: 'entries' })
@Check(
  'entries_image_upload_status_check',
  "image_upload_status = ANY (ARRAY['uploaded'::text, 'staged'::text, 'missing'::text])",
)
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { name: 'entries_app_fkey' })
@ForeignKey(() => OntologyEntity, ['ontologyId'], ['ontologyId'], { name: 'entries_ontology_fkey' })
@Index('entries_list_idx', ['appId', 'createdAt', 'entryId'])
@Index('entries_ontology_idx', ['appId', 'ontologyId', 'createdAt', 'entryId'])
export class EntryEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'entries_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'entry_id', type: 'text', primaryKeyConstraintName: 'entries_pkey' })
  entryId: string;

  @Column({ name: 'ontology_id', type: 'text' })
  ontologyId: string;

  @Column({ name: 'entry_name', type: 'text', nullable: true })
  entryName: string | null;

  @Column({ name: 'owner_id', type: 'text', nullable: true })
  ownerId: string | null;

  @Column({ name: 'ingestion_origin', type: 'text', nullable: true })
  ingestionOrigin: string | null;

  @Column({ type: 'jsonb' })
  fields: object;

  @Column({ type: 'double precision', nullable: true })
  value: number | null;

  @Column({ name: 'image_upload_status', type: 'text', nullable: true })
  imageUploadStatus: string | null;

  @Column({ type: 'jsonb', nullable: true })
  media: object | null;

  @Column({ type: 'text' })
  checksum: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
