/** Ids of ontologies, which operators choose (docs/contract.md#vocabulary). */
export const ONTOLOGY_ID = /^[a-z][a-z0-9_.-]{0,63}$/;

/** What a field of an ontology can hold (docs/contract.md#entries-and-ontologies). */
export const FIELD_TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'date_time',
  'string_array',
  'object',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export interface FieldDefinition {
  name: string;
  type: FieldType;
  required: boolean;
  label?: string;
}

/** A field with the compact key under which entries store it. */
export interface OntologyField extends FieldDefinition {
  slot: string;
}

/** The operator's definition of the fields that entries of a kind have. */
export interface Ontology {
  id: string;
  /** Undefined: for every app. */
  appId: string | undefined;
  name: string;
  version: string;
  fields: readonly OntologyField[];
  /** Names of the fields whose values identify an entry, in order. */
  identityFields: readonly string[];
}
