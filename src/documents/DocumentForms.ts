import type { Door } from '../domain/door.js';

/**
 * The form in which loaders return the documents of an operation: parsed, or as the text stored for an
 * interface (GraphQL or REST).
 */
export interface DocumentForms {
  facts: 'objects' | Door;
  /** Claims are stored only in GraphQL spelling. */
  claims: 'objects' | 'graphql';
}

/** All documents parsed, for executors that resolve each leaf. */
export const AS_OBJECTS: DocumentForms = { facts: 'objects', claims: 'objects' };
