import { isJsonObject } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';

/** The reference to an operation's document: its text, or the SHA-256 of the text in hex. */
export type Source = { text: string; hash?: string } | { hash: string };

/** An operation as requested by GraphQL over HTTP. */
export interface OperationRequest {
  source: Source;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  /** The last event that a subscriber has received, if given in the extensions. */
  lastEventId?: string;
}

type Members = Record<string, unknown>;

/**
 * Reads the body of a POST. The document is given as `query`, by Apollo's `extensions.persistedQuery`, or by
 * `documentId` (GraphQL over HTTP, appendix A); the first of these counts.
 *
 * @throws ServiceError `invalid_request`
 */
export function readOperation(body: unknown): OperationRequest {
  if (Array.isArray(body)) throw invalid('Operations are not accepted in batches.');
  if (!isJsonObject(body)) throw invalid('The body must be a JSON object.');
  const { query, documentId, operationName, variables, extensions } = body;
  requireString('query', query);
  requireString('operationName', operationName);
  requireObject('variables', variables);
  requireObject('extensions', extensions);
  return {
    source: sourceOf(query ?? undefined, documentId, extensions ?? undefined),
    operationName: operationName ?? undefined,
    variables: variables ?? {},
    ...lastEventOf(extensions ?? {}),
  };
}

/**
 * Reads the query string of a GET. Each parameter may occur once.
 *
 * @throws ServiceError `invalid_request`
 */
export function readParameters(search: URLSearchParams): OperationRequest {
  const members: Members = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(members, name)) throw invalid(`The parameter ${name} must be given once.`);
    // An empty parameter is as good as none (GraphQL over HTTP).
    if (value === '') members[name] = undefined;
    else members[name] = name === 'variables' || name === 'extensions' ? parsed(name, value) : value;
  }
  return readOperation(members);
}

function sourceOf(text: string | undefined, documentId: unknown, extensions: Members = {}): Source {
  const persisted = extensions['persistedQuery'];
  const hash = isJsonObject(persisted) ? hashIn(persisted) : undefined;
  if (text !== undefined && text !== '') return { text, ...(hash === undefined ? {} : { hash }) };
  if (hash !== undefined) return { hash };
  if (typeof documentId === 'string') return { hash: documentId.replace(/^sha256:/, '') };
  throw invalid('The request must have a query, a documentId or a persisted query.');
}

/** @throws ServiceError `invalid_request` */
function lastEventOf({ lastEventId }: Members): Pick<OperationRequest, 'lastEventId'> {
  requireString('extensions.lastEventId', lastEventId);
  return lastEventId ? { lastEventId } : {};
}

function hashIn({ version, sha256Hash }: Members): string {
  if (version === 1 && typeof sha256Hash === 'string') return sha256Hash;
  throw invalid('The persisted query must have version 1 and a sha256Hash.');
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`The parameter ${name} is not valid JSON.`);
  }
}

function requireString(name: string, value: unknown): asserts value is string | null | undefined {
  if (value !== undefined && value !== null && typeof value !== 'string')
    throw invalid(`${name} must be a string.`);
}

function requireObject(name: string, value: unknown): asserts value is Members | null | undefined {
  if (value !== undefined && value !== null && !isJsonObject(value))
    throw invalid(`${name} must be an object.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message);
}
