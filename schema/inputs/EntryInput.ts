import { Field, Float, ID, InputType } from 'type-graphql';
import { ENTRY_ID } from '../../src/domain/catalog/entryIdentity.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { storedValue } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { ImageUploadStatus } from '../enums.js';
import { JsonObjectScalar } from '../scalars.js';

@InputType()
export class EntryMediaInput {
  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 2048 })
  primaryImage?: string | null;

  @Field(() => [String], { nullable: true })
  @Constrained({ maxItems: 100, minLength: 1, maxLength: 2048 })
  gallery?: string[] | null;
}

@InputType({ description: 'A catalog entry.' })
export class CreateEntryInput {
  @Field(() => ID, { nullable: true, description: 'Derived from the identity fields when absent.' })
  @Constrained({ pattern: ENTRY_ID })
  entryId?: string | null;

  @Field(() => ID, { description: 'The id of the ontology that the entry follows.' })
  @Constrained({ minLength: 1, maxLength: 128 })
  ontology: string;

  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 500 })
  entryName?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 255 })
  ownerId?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 255 })
  ingestionOrigin?: string | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "By the readable names of the ontology's fields.",
  })
  @Constrained(storedValue)
  fields?: JsonObject | null;

  @Field(() => Float, { nullable: true })
  value?: number | null;

  @Field(() => ImageUploadStatus, { nullable: true })
  imageUploadStatus?: 'uploaded' | 'staged' | 'missing' | null;

  @Field(() => EntryMediaInput, { nullable: true })
  media?: EntryMediaInput | null;
}

@InputType({ description: 'A catalog entry as a whole: what is absent is removed.' })
export class ReplaceEntryInput extends CreateEntryInput {}
