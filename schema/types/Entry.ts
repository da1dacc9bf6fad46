import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { StoredJson } from '../../src/documents/FreeForm.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { connectionOf } from '../connection.js';
import { ImageUploadStatus, UpsertStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'Images of an entry.' })
export class EntryMedia {
  @Nullable(() => String) primaryImage?: string | null;
  @Nullable(() => [String]) gallery?: string[] | null;
}

@ObjectType({
  implements: Node,
  description: 'A catalog object that follows an ontology; events name it as `object`.',
})
export class Entry {
  /** Resolved from `entryId`. */
  @Field(() => ID, {
    description: 'The entry among all types: `entryId`, marked where that is of the partner’s own choice.',
  })
  id?: string;

  @NonNull(() => ID, 'The id of the entry: derived from its identity fields, or of the partner’s own choice.')
  entryId: string;
  @NonNull(() => ID, 'The id of the ontology.') ontology: string;
  @Nullable(() => String) entryName?: string | null;
  @Nullable(() => String) ownerId?: string | null;
  @Nullable(() => String) ingestionOrigin?: string | null;
  @Nullable(() => Float, 'A number of the partner, such as a price.') value?: number | null;
  @Nullable(() => ImageUploadStatus) imageUploadStatus?: string | null;
  @Nullable(() => EntryMedia) media?: EntryMedia | null;
  @NonNull(() => JsonObjectScalar, "By the readable names of the ontology's fields.") fields:
    JsonObject | StoredJson;

  @NonNull(
    () => String,
    '`sha256:` + hex over the RFC 8785 form of `{ontology, entry_name, fields, value, media}`.',
  )
  checksum: string;

  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => DateTimeScalar) updatedAt: string;
}

export const EntryConnection = connectionOf('Entry', () => Entry);

@ObjectType({ description: 'The entry, and what the upsert did.' })
export class EntryPayload {
  @NonNull(() => UpsertStatus) status: 'created' | 'updated' | 'unchanged';
  @NonNull(() => Entry, 'The entry.') entry: Entry;
}
