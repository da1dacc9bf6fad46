import { ID, ObjectType } from 'type-graphql';
import type { FieldType } from '../../src/domain/catalog/Ontology.js';
import { connectionOf } from '../connection.js';
import { OntologyFieldType, UpsertStatus, WorkflowStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'A field that entries of an ontology have.' })
export class OntologyField {
  @NonNull(() => String, 'The readable name under which entries carry the field.') name: string;
  @NonNull(() => OntologyFieldType, 'What the field holds.') type: FieldType;
  @NonNull(() => Boolean, 'Whether every entry must have the field.') required: boolean;
  @Nullable(() => String) label?: string | null;

  @NonNull(() => String, 'Informational: the compact key of storage. No request takes it.')
  internalSlot: string;
}

@ObjectType({ description: 'Informational: how entries are stored.' })
export class OntologyStorage {
  @NonNull(() => String, 'The family of the compact storage keys.') compactSlotFamily: string;
  @NonNull(() => String, 'Where storage keys end.') persistenceBoundary: string;
}

@ObjectType({ implements: Node, description: 'The map of the fields that catalog entries of a kind have.' })
export class Ontology {
  @NonNull(() => ID) id: string;
  @NonNull(() => String) name: string;
  @NonNull(() => String) version: string;
  @NonNull(() => [OntologyField], 'The fields that entries have.') fields: OntologyField[];
  @NonNull(() => [String], "Fields whose values make an entry's identity.") identityFields: string[];
  @NonNull(() => OntologyStorage, 'Informational: how entries are stored.') internalStorage: OntologyStorage;
}

export const OntologyConnection = connectionOf('Ontology', () => Ontology);

@ObjectType({ description: 'The ontology, and what the upsert did.' })
export class PutOntologyPayload {
  @NonNull(() => UpsertStatus) status: 'created' | 'updated' | 'unchanged';
  @NonNull(() => Ontology, 'The ontology, by its id.') ontology: Ontology;
}

@ObjectType({ description: 'A rebuild of the filter index that was accepted.' })
export class RebuildOntologyPayload {
  @NonNull(() => ID) workflowId: string;
  @NonNull(() => WorkflowStatus) status: 'accepted';
  @NonNull(() => DateTimeScalar) acceptedAt: string;
  @NonNull(() => String, 'Path of the workflow in the REST interface.') statusUrl: string;
}
