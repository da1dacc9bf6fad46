import type { Caller } from '../access/Caller.js';
import { inTurn } from '../http/readJson.js';
import type { RequestServices } from '../Services.js';
import type { CheckedDocument } from './CheckedDocument.js';
import type { Documents } from './Documents.js';
import type { OperationRequest } from './readOperation.js';

/**
 * The document that a request names. A new one is checked in its caller's turn, unless it revokes.
 *
 * @throws InvalidOperation when it is not valid, not known or not trusted
 */
export async function findDocument(
  { documents, services }: { documents: Documents; services: RequestServices },
  { source, operationName }: OperationRequest,
  caller: Caller,
): Promise<CheckedDocument> {
  const known = documents.known(source);
  if (known !== undefined) return known;
  const check = (): CheckedDocument => documents.find(source);
  if (documents.guessClass(source, operationName) === 'revoke') return check();
  return inTurn(services.parseTurns, caller, check);
}
