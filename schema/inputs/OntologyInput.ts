import { Field, ID, InputType } from 'type-graphql';
import type { FieldType } from '../../src/domain/catalog/Ontology.js';
import { givenIdentityFields } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { OntologyFieldType } from '../enums.js';

/** Names of ontology fields. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;

@InputType()
export class OntologyFieldInput {
  @Field(() => String)
  @Constrained({ pattern: FIELD_NAME })
  name: string;

  @Field(() => OntologyFieldType)
  type: FieldType;

  @Field(() => Boolean, { nullable: true, description: 'Default: false.' })
  required?: boolean | null;

  @Field(() => String, { nullable: true })
  @Constrained({ maxLength: 500 })
  label?: string | null;
}

@InputType({ description: 'An ontology as its operator defines it; slots are assigned by the service.' })
@Constrained(givenIdentityFields)
export class PutOntologyInput {
  @Field(() => String)
  @Constrained({ minLength: 1, maxLength: 200 })
  name: string;

  @Field(() => String)
  @Constrained({ minLength: 1, maxLength: 64 })
  version: string;

  @Field(() => [OntologyFieldInput])
  @Constrained({ minItems: 1, maxItems: 500 })
  fields: OntologyFieldInput[];

  @Field(() => [String], {
    nullable: true,
    description:
      "Required: fields whose values make an entry's identity; empty where entries have ids of their own alone.",
  })
  @Constrained({ maxItems: 20 })
  identityFields?: string[] | null;

  @Field(() => ID, { nullable: true, description: 'The only app that sees it. Absent: every app.' })
  @Constrained({ minLength: 1, maxLength: 128 })
  appId?: string | null;
}
