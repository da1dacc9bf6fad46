import { ServiceError } from '../src/errors.js';

const JSON_TYPE = 'application/json';

/** @throws ServiceError `unsupported_media_type` when the body is not JSON in UTF-8 */
export function checkMediaType(contentType: string | undefined, accepts: readonly string[] = []): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const foreignCharset = parameters.some((part) => part.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(part));
  if ([JSON_TYPE, ...accepts].includes(type) && !foreignCharset) return;
  throw new ServiceError('unsupported_media_type', `The body must be ${[JSON_TYPE, ...accepts].join(' or ')}.`);
}

/** @throws ServiceError `invalid_request` when the bytes are not JSON */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    throw new ServiceError('invalid_request', 'The body is not valid JSON.');
  }
}
