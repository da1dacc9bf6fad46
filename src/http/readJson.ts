import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { repeatedHeader, ServiceError } from '../errors.js';

const JSON_TYPE = 'application/json';

/**
 * @throws ServiceError `unsupported_media_type` when the body is not JSON in UTF-8, `invalid_request` for two
 *   media types: a proxy may have checked the other one
 */
export function checkMediaType(
  { headers, headersDistinct }: IncomingMessage,
  accepts: readonly string[] = [],
): void {
  if ((headersDistinct['content-type']?.length ?? 0) > 1) throw repeatedHeader('Content-Type');
  const contentType = headers['content-type'];
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
