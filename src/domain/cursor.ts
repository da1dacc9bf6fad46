import { ServiceError } from '../errors.js';
import type { SecretBox } from './SecretBox.js';

/** The list that a cursor is valid for: its app, list and filter (docs/contract.md#pagination). */
export interface CursorScope {
  appId: string;
  list: string;
  filter?: string;
}

/**
 * Marks a text, which follows as it is, where JSON would be too long: it writes a control character as six,
 * and the cursor of a long external id would be longer than a parameter may be. All other positions are JSON,
 * which begins otherwise: an older release, which may run beside this one, reads nothing else.
 */
const TEXT = 't';
const MAX_JSON_BYTES = 1024;

/** The opaque cursor after an item at `position` of a list. */
export function writeCursor(secrets: SecretBox, scope: CursorScope, position: string | number): string {
  const json = JSON.stringify(position);
  const written = Buffer.byteLength(json) > MAX_JSON_BYTES ? `${TEXT}${position}` : json;
  const body = Buffer.from(written).toString('base64url');
  return `${body}.${secrets.mac('cursor', boundText(scope, body)).slice(0, 22)}`;
}

/** @throws ServiceError `invalid_request` for a cursor that this list did not issue */
export function readCursor(secrets: SecretBox, scope: CursorScope, cursor: string): string | number {
  const [body = '', mac = '', ...rest] = cursor.split('.');
  const known = secrets.macs('cursor', boundText(scope, body)).map((full) => full.slice(0, 22));
  if (rest.length > 0 || !known.includes(mac)) throw invalidCursor();
  const written = Buffer.from(body, 'base64url').toString('utf8');
  return written.startsWith(TEXT) ? written.slice(TEXT.length) : (JSON.parse(written) as string | number);
}

function boundText({ appId, list, filter = '' }: CursorScope, body: string): string {
  return JSON.stringify([appId, list, filter, body]);
}

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_request', 'The cursor is not one that this list gave out.', {
    details: [{ code: 'invalid_cursor', message: 'is not a cursor of this list', field: 'cursor' }],
  });
}
