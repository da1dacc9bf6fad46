import { hash } from 'node:crypto';
import { Kind } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { isJsonObject } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';
import { MAX_COST, NOTHING, operationCost } from '../execution/operationCost.js';
import { checkDocument } from './checkDocument.js';
import { InvalidOperation } from './InvalidOperation.js';
import { costProblem } from './limits.js';
import type { TrustedDocument } from './TrustedDocument.js';

/** The valid documents of a manifest, and the problems of the others by entry. */
export interface CheckedDocuments {
  documents: TrustedDocument[];
  problems: string[];
}

/**
 * Makes the same checks as for clients' operations (syntax, validity, depth, aliases, cost), and that each
 * hash matches its text.
 *
 * @param manifest `{ "sha256:<hex>": text, … }`; the prefix may be absent, as some generators omit it
 */
export function checkTrustedDocuments(schema: GraphQLSchema, manifest: unknown): CheckedDocuments {
  if (!isJsonObject(manifest))
    return { documents: [], problems: ['must be an object of texts by their hashes'] };
  const checked: CheckedDocuments = { documents: [], problems: [] };
  for (const [id, text] of Object.entries(manifest)) {
    const found = checkEntry(schema, id, text);
    if (typeof found === 'string') checked.problems.push(`${JSON.stringify(id)} ${found}`);
    else checked.documents.push(found);
  }
  return checked;
}

function checkEntry(schema: GraphQLSchema, id: string, text: unknown): TrustedDocument | string {
  const [, digest] = /^(?:sha256:)?([0-9a-f]{64})$/.exec(id) ?? [];
  if (digest === undefined) return 'is no SHA-256 in lower-case hex';
  if (typeof text !== 'string') return 'has no text';
  if (hash('sha256', text, 'hex') !== digest) return 'is not the hash of its text';
  try {
    return weighed(schema, { hash: digest, text, document: checkDocument(schema, text) });
  } catch (error) {
    if (error instanceof InvalidOperation || error instanceof ServiceError)
      return `is not valid: ${error.message}`;
    throw error;
  }
}

function weighed(schema: GraphQLSchema, trusted: TrustedDocument): TrustedDocument | string {
  for (const operation of operationsOf(trusted.document)) {
    const { fields } = operationCost(schema, trusted.document, operation).fixed ?? NOTHING;
    if (fields > MAX_COST) return costProblem(fields);
  }
  return trusted;
}

function operationsOf({ definitions }: DocumentNode): OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}
