import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { HeldBody } from '../concurrency/HeldBodies.js';
import { ServiceError } from '../errors.js';

/** With Node's own, a quarter of it, a full body takes the event loop twice as long. */
const CHUNK = { chunkSize: 64 * 1024 };

const DECOMPRESSORS = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

export interface BodyOptions {
  /** Maximum bytes. */
  limit: number;
  /** Whether a compressed body is accepted, and returned as it is: `inflated` decompresses it. */
  mayBeCompressed?: boolean;
  /** Told how many bytes there are so far. What it throws refuses the body. */
  count?: (bytes: number) => void;
}

/**
 * Reads the bytes of a body.
 *
 * @throws ServiceError `payload_too_large` (before reading when the length was announced),
 *   `unsupported_media_type` for a compression that is not accepted, `invalid_request` when the body ends
 *   early
 */
export async function readBody(
  request: IncomingMessage,
  { limit, mayBeCompressed = false, count }: BodyOptions,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  const encoding = encodingOf(request);
  if (encoding !== undefined && !(mayBeCompressed && DECOMPRESSORS.has(encoding)))
    throw new ServiceError(
      'unsupported_media_type',
      mayBeCompressed ? 'The compression of the body is not supported.' : 'The body must not be compressed.',
      { accepts: { 'Accept-Encoding': mayBeCompressed ? [...DECOMPRESSORS.keys()].join(', ') : 'identity' } },
    );
  return collect(request, limit, count);
}

/**
 * Reads the bytes of a body, which count as held until they were used.
 *
 * @throws ServiceError those of `readBody` and `HeldBody.count`
 */
export async function useBody<T>(
  request: IncomingMessage,
  { count, end }: HeldBody,
  options: BodyOptions,
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  try {
    return await use(await readBody(request, { ...options, count }));
  } finally {
    end();
  }
}

/** The compression of a body; undefined without one. */
export function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  return encoding === 'identity' ? undefined : encoding;
}

/**
 * Decompresses a body.
 *
 * @throws ServiceError `payload_too_large` over the limit, `invalid_request` when it is not so compressed
 */
export async function inflated(body: Buffer, encoding: string, limit: number): Promise<Buffer> {
  try {
    return (await DECOMPRESSORS.get(encoding)?.(body, { ...CHUNK, maxOutputLength: limit })) ?? body;
  } catch (error) {
    throw error instanceof RangeError ? bodyTooLarge(limit) : unreadable();
  }
}

async function collect(
  request: IncomingMessage,
  limit: number,
  count: BodyOptions['count'],
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    let size = 0;
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > limit) throw bodyTooLarge(limit);
        count?.(size);
        chunks.push(chunk);
      } catch (error) {
        fail(error as ServiceError);
      }
    };
    const fail = (error: ServiceError): void => {
      // The rest of the body is read and dropped, so that the client can read the answer.
      request.off('data', keep);
      request.resume();
      reject(error);
    };
    request.on('data', keep);
    request.once('end', resolve);
    const end = (): void => fail(unreadable());
    request.on('error', end);
    const close = (): void => (request.readableEnded ? undefined : end());
    if (request.destroyed) close();
    else request.once('close', close);
  });
  const body = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  // The listeners stay as long as the request, which is that of an event stream for hours.
  chunks.length = 0;
  return body;
}

function unreadable(): ServiceError {
  return new ServiceError('invalid_request', 'The body could not be read.');
}

export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError('payload_too_large', `The body must not be larger than ${limit} bytes.`);
}
