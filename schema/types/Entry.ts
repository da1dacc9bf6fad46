import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { connectionOf } from '../connection.js';
import { ImageUploadStatus, UpsertStatus } from '../enums.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType()
export class EntryMedia {
  @Field(() => String, { nullable: true })
  primaryImage?: string | null;

  @Field(() => [String], { nullable: true })
  gallery?: string[] | null;
}

@ObjectType({
  implements: Node,
  description: 'A catalog object that follows an ontology; events name it as `object`.',
})
export class Entry {
  @Field(() => ID, {
    description: 'The entry among all types: `entryId`, marked where that is of the partner’s own choice.',
  })
  id?: string;

  @Field(() => ID)
  entryId: string;

  @Field(() => ID, { description: 'The id of the ontology.' })
  ontology: string;

  @Field(() => String, { nullable: true })
  entryName?: string | null;

  @Field(() => String, { nullable: true })
  ownerId?: string | null;

  @Field(() => String, { nullable: true })
  ingestionOrigin?: string | null;

  @Field(() => Float, { nullable: true })
  value?: number | null;

  @Field(() => ImageUploadStatus, { nullable: true })
  imageUploadStatus?: string | null;

  @Field(() => EntryMedia, { nullable: true })
  media?: EntryMedia | null;

  @Field(() => JsonObjectScalar, { description: "By the readable names of the ontology's fields." })
  fields: JsonObject;

  @Field(() => String, {
    description: '`sha256:` + hex over the RFC 8785 form of `{ontology, entry_name, fields, value, media}`.',
  })
  checksum: string;

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => DateTimeScalar)
  updatedAt: string;
}

export const EntryConnection = connectionOf('Entry', () => Entry);

@ObjectType()
export class EntryPayload {
  @Field(() => UpsertStatus)
  status: 'created' | 'updated' | 'unchanged';

  @Field(() => Entry)
  entry: Entry;
}
