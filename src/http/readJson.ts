import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../errors.js';

const JSON_TYPE = 'application/json';

/** @throws ServiceError `unsupported_media_type` when the body is not JSON in UTF-8 */
export function checkMediaType(contentType: string | undefined, accepts: readonly string[] = []): void {
  if (contentType === JSON_TYPE) return;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const foreignCharset = parameters.some(
    (part) => part.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(part),
  );
  if ([JSON_TYPE, ...accepts].includes(type) && !foreignCharset) return;
  throw new ServiceError(
    'unsupported_media_type',
    `The body must be ${[JSON_TYPE, ...accepts].join(' or ')}.`,
  );
}

/**
 * Parses a JSON text in UTF-8, without its byte order mark.
 *
 * @throws ServiceError `invalid_request`
 */
export function readJson(body: Buffer): unknown {
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8', startsWithMark(body) ? 3 : 0));
  } catch {
    // The parser's message quotes the body and is not shown.
  }
  throw new ServiceError('invalid_request', 'The body is not valid JSON.');
}

function startsWithMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
