import { Float, ID, InputType } from 'type-graphql';
import { ENTRY_ID } from '../../src/domain/catalog/entryIdentity.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { storedValue } from '../checks.js';
import { ImageUploadStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { JsonObjectScalar } from '../scalars.js';

@InputType({ description: 'Images of an entry.' })
export class EntryMediaInput {
  @Nullable(() => String, { minLength: 1, maxLength: 2048 }) primaryImage?: string | null;
  @Nullable(() => [String], { maxItems: 100, minLength: 1, maxLength: 2048 }) gallery?: string[] | null;
}

@InputType({ description: 'A catalog entry.' })
export class CreateEntryInput {
  @Nullable(() => ID, 'Derived from the identity fields when absent.', { pattern: ENTRY_ID })
  entryId?: string | null;

  @NonNull(() => ID, 'The id of the ontology that the entry follows.', { minLength: 1, maxLength: 128 })
  ontology: string;

  @Nullable(() => String, { minLength: 1, maxLength: 500 }) entryName?: string | null;
  @Nullable(() => String, { minLength: 1, maxLength: 255 }) ownerId?: string | null;
  @Nullable(() => String, { minLength: 1, maxLength: 255 }) ingestionOrigin?: string | null;

  @Nullable(() => JsonObjectScalar, "By the readable names of the ontology's fields.", storedValue)
  fields?: JsonObject | null;

  @Nullable(() => Float, 'A number of your own, such as a price.') value?: number | null;
  @Nullable(() => ImageUploadStatus) imageUploadStatus?: 'uploaded' | 'staged' | 'missing' | null;
  @Nullable(() => EntryMediaInput) media?: EntryMediaInput | null;
}

@InputType({ description: 'A catalog entry as a whole: what is absent is removed.' })
export class ReplaceEntryInput extends CreateEntryInput {}
