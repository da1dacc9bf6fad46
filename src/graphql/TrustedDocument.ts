import type { DocumentNode } from 'graphql';

/** A document that the operator registered (`TRUSTED_DOCUMENTS`). It passed every check at the start. */
export interface TrustedDocument {
  /** SHA-256 of the text's UTF-8, in lower-case hex. */
  hash: string;
  text: string;
  document: DocumentNode;
}
