import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from '../access/Caller.js';
import type { Caller } from '../access/Caller.js';
import { SMALL } from '../concurrency/HeldBodies.js';
import type { Turns } from '../concurrency/Turns.js';
import { repeatedHeader, ServiceError } from '../errors.js';

const JSON_TYPE = 'application/json';

/** Maximum commas and opening brackets of a body: parsing takes up to a microsecond for each. */
const MAX_VALUES = 200_000;

/** After such work, the app's next waits so many times as long as it took, if over 1 ms. */
const REST = 4;

/**
 * @throws ServiceError `unsupported_media_type` when the body is not JSON in UTF-8, `invalid_request` for two
 *   media types: a proxy may have checked the other one
 */
export function checkMediaType(
  { method, headers, headersDistinct }: IncomingMessage,
  accepts: readonly string[] = [],
): void {
  if ((headersDistinct['content-type']?.length ?? 0) > 1) throw repeatedHeader('Content-Type');
  const contentType = headers['content-type'];
  if (contentType === JSON_TYPE) return;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const foreignCharset = parameters.some(
    (part) => part.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(part),
  );
  const types = [JSON_TYPE, ...accepts];
  if (types.includes(type) && !foreignCharset) return;
  throw new ServiceError('unsupported_media_type', `The body must be ${types.join(' or ')}.`, {
    accepts: { [acceptHeader(method)]: types.join(', ') },
  });
}

/** The header of a 415 that names the media types which a method takes (RFC 9110, 15.5.16; RFC 5789, 2.2). */
export function acceptHeader(method: string | undefined): string {
  return method === 'PATCH' ? 'Accept-Patch' : 'Accept';
}

/**
 * {@link parseJson} in the app's turn, if the body is large.
 *
 * @param turns one for each app
 * @param values `valuesIn` of the body, where they have been counted
 * @throws ServiceError `invalid_request`, `payload_too_large`, `rate_limited` when its turn does not come
 */
export async function readJson(
  body: Buffer,
  turns: Turns,
  caller: Caller,
  values?: number,
): Promise<unknown> {
  if (body.length <= SMALL) return parseJson(body, 0);
  return inTurn(turns, caller, () => parseJson(body, values ?? valuesIn(body)));
}

/**
 * Work that takes long by what an app sends. Such work of an app is done one after the other, with rests, so
 * that it takes a fifth of the event loop at most.
 *
 * @param turns one for each app
 * @throws ServiceError `rate_limited` when its turn does not come
 */
export function inTurn<T>(turns: Turns, caller: Caller, work: () => T | Promise<T>): Promise<T> {
  return turns.run(nameOf(caller), async () => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const taken = performance.now() - startedAt;
      if (taken > 1) await sleep(REST * taken);
    }
  });
}

/**
 * Parses a JSON text in UTF-8, without its byte order mark.
 *
 * @param values `valuesIn` of the body
 * @throws ServiceError `invalid_request`, `payload_too_large`
 */
export function parseJson(body: Buffer, values: number): unknown {
  if (values > MAX_VALUES)
    throw new ServiceError(
      'payload_too_large',
      `The body must not hold more than ${MAX_VALUES} commas and opening brackets outside of strings.`,
    );
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8', startsWithMark(body) ? 3 : 0));
  } catch {
    // The parser's message quotes the body and is not shown.
  }
  throw new ServiceError('invalid_request', 'The body is not valid JSON.');
}

/** Whether a JSON text has more commas and opening brackets outside of its strings. */
export function holdsMore(text: Uint8Array, maximum: number): boolean {
  return valuesIn(text, maximum) > maximum;
}

/** Counts the commas and opening brackets outside of strings in a JSON text, and stops beyond so many. */
export function valuesIn(text: Uint8Array, maximum = MAX_VALUES): number {
  let values = 0;
  let quoted = false;
  for (let at = 0; at < text.length && values <= maximum; at += 1) {
    const byte = text[at];
    if (byte === 0x22) quoted = !quoted;
    else if (quoted) at += byte === 0x5c ? 1 : 0;
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return values;
}

function startsWithMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
