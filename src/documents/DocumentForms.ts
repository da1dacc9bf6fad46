import type { Door } from '../domain/door.js';
import type { StoredText } from './StoredText.js';

/** How an operation takes facts: as objects, or as the text that is stored for a door. */
export type FactForm = 'objects' | Door;

/** How an operation takes claims: as objects, or as the text that is stored. */
export type ClaimForm = 'objects' | 'text';

/** How an operation takes the documents that it selects. */
export interface DocumentForms {
  /** The form in which loaders must read facts. */
  facts: FactForm;
  /** The form in which loaders must give lists of claims. */
  claims: ClaimForm;
  /** By document field: what is selected of its value, as text. */
  print: ReadonlyMap<string, (value: unknown) => StoredText>;
}

/** Every document as an object, for whoever executes by other means. */
export const AS_OBJECTS: DocumentForms = { facts: 'objects', claims: 'objects', print: new Map() };
