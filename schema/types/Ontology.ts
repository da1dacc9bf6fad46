import { Field, ID, ObjectType } from 'type-graphql';
import type { FieldType } from '../../src/domain/catalog/Ontology.js';
import { connectionOf } from '../connection.js';
import { OntologyFieldType, UpsertStatus, WorkflowStatus } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'A field that entries of an ontology have.' })
export class OntologyField {
  @Field(() => String)
  name: string;

  @Field(() => OntologyFieldType)
  type: FieldType;

  @Field(() => Boolean)
  required: boolean;

  @Field(() => String, { nullable: true })
  label?: string | null;

  @Field(() => String, { description: 'Informational: the compact key of storage. No request takes it.' })
  internalSlot: string;
}

@ObjectType({ description: 'Informational: how entries are stored.' })
export class OntologyStorage {
  @Field(() => String)
  compactSlotFamily: string;

  @Field(() => String)
  persistenceBoundary: string;
}

@ObjectType({ implements: Node, description: 'The map of the fields that catalog entries of a kind have.' })
export class Ontology {
  @Field(() => ID)
  id: string;

  @Field(() => String)
  name: string;

  @Field(() => String)
  version: string;

  @Field(() => [OntologyField])
  fields: OntologyField[];

  @Field(() => [String], { description: "Fields whose values make an entry's identity." })
  identityFields: string[];

  @Field(() => OntologyStorage)
  internalStorage: OntologyStorage;
}

export const OntologyConnection = connectionOf('Ontology', () => Ontology);

@ObjectType()
export class PutOntologyPayload {
  @Field(() => UpsertStatus)
  status: 'created' | 'updated' | 'unchanged';

  @Field(() => Ontology)
  ontology: Ontology;
}

@ObjectType({ description: 'A rebuild of the filter index that was accepted.' })
export class RebuildOntologyPayload {
  @Field(() => ID)
  workflowId: string;

  @Field(() => WorkflowStatus)
  status: 'accepted';

  @Field(() => DateTimeScalar)
  acceptedAt: string;

  @Field(() => String, { description: 'Path of the workflow in the REST interface.' })
  statusUrl: string;
}
