import type { Door } from '../domain/door.js';

/**
 * How loaders give the documents that an operation selects: parsed, or as the text that is stored for a door.
 */
export interface DocumentForms {
  facts: 'objects' | Door;
  /** Claims are stored in GraphQL's spelling alone. */
  claims: 'objects' | 'graphql';
}

/** Every document parsed, for whoever executes a selection leaf by leaf. */
export const AS_OBJECTS: DocumentForms = { facts: 'objects', claims: 'objects' };
