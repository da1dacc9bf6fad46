import { ID, InputType } from 'type-graphql';
import type { FieldType } from '../../src/domain/catalog/Ontology.js';
import { ontologyDefinition } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { OntologyFieldType } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';

/** Names of ontology fields. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;

@InputType({ description: 'A field that entries of the ontology have.' })
export class OntologyFieldInput {
  @NonNull(() => String, 'The readable name under which entries carry the field.', { pattern: FIELD_NAME })
  name: string;

  @NonNull(() => OntologyFieldType, 'What the field holds.') type: FieldType;
  @Nullable(() => Boolean, 'Default: false.') required?: boolean | null;
  @Nullable(() => String, { maxLength: 500 }) label?: string | null;
}

@InputType({ description: 'An ontology as its operator defines it; slots are assigned by the service.' })
@Constrained(ontologyDefinition)
export class PutOntologyInput {
  @NonNull(() => String, { minLength: 1, maxLength: 200 }) name: string;
  @NonNull(() => String, { minLength: 1, maxLength: 64 }) version: string;

  @NonNull(
    () => [OntologyFieldInput],
    'The fields that entries have. A new version keeps those of the one before.',
    { minItems: 1, maxItems: 500 },
  )
  fields: OntologyFieldInput[];

  @Nullable(
    () => [String],
    "Required: fields whose values make an entry's identity; empty where entries have ids of their own alone.",
    { maxItems: 20 },
  )
  identityFields?: string[] | null;

  @Nullable(() => ID, 'The only app that sees it. Absent: every app.', { minLength: 1, maxLength: 128 })
  appId?: string | null;
}
