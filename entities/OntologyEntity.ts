import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An operator's map of the fields of a kind of entries; `app_id` is `*` where every app sees it. */
@Entity({ name: 'ontologies' })
@Index('ontologies_list_idx', ['createdAt', 'ontologyId'])
export class OntologyEntity {
  @PrimaryColumn({ name: 'ontology_id', type: 'text', primaryKeyConstraintName: 'ontologies_pkey' })
  ontologyId: string;

  @Column({ name: 'app_id', type: 'text' })
  appId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  version: string;

  @Column({ type: 'jsonb' })
  fields: object;

  @Column({ name: 'identity_fields', type: 'text', array: true })
  identityFields: string[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
