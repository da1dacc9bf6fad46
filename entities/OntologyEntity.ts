import { Entity, Index } from 'typeorm';
import type { Ontology as OntologyType } from '../schema/types/Ontology.js';
import { SLOT_FAMILY } from '../src/domain/catalog/nextVersion.js';
import type { Ontology, OntologyField } from '../src/domain/catalog/Ontology.js';
import { Json, Key, Text, TextList, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** An operator's map of the fields of a kind of entries; `app_id` is `*` when all apps see it. */
@Entity({ name: 'ontologies' })
@Index('ontologies_list_idx', ['createdAt', 'ontologyId'])
export class OntologyEntity {
  @Key() ontologyId: string;
  @Text() appId: string;
  @Text() name: string;
  @Text() version: string;
  @Json() fields: OntologyField[];
  @TextList() identityFields: string[];
  /** What each of its versions asked of entries (`askedBy`), by label. */
  @Json({ default: {}, select: false }) usedVersions: Readonly<Record<string, string>>;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export const ontologies = new Table<OntologyEntity, 'usedVersions'>(OntologyEntity);

/** The `app_id` of ontologies that all apps see. */
export const EVERY_APP = '*';

export type OntologyRow = RowOf<OntologyEntity, 'usedVersions'>;

export const ONTOLOGY_COLUMNS = columnsOf(OntologyEntity);

export function toDomain(row: OntologyRow): Ontology {
  return {
    id: row.ontology_id,
    appId: row.app_id === EVERY_APP ? undefined : row.app_id,
    name: row.name,
    version: row.version,
    fields: row.fields,
    identityFields: row.identity_fields,
  };
}

export function toOntology(row: OntologyRow): OntologyType {
  return {
    id: row.ontology_id,
    name: row.name,
    version: row.version,
    fields: row.fields.map(({ slot, label, ...field }) => ({
      ...field,
      label: label ?? null,
      internalSlot: slot,
    })),
    identityFields: row.identity_fields,
    internalStorage: { compactSlotFamily: SLOT_FAMILY, persistenceBoundary: 'entry' },
  };
}
