import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceError } from '../errors.js';

/** With Node's own, a quarter of it, a full body takes the event loop twice as long. */
const CHUNK = { chunkSize: 64 * 1024 };

const DECOMPRESSORS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(CHUNK)],
  ['deflate', () => createInflate(CHUNK)],
  ['br', () => createBrotliDecompress(CHUNK)],
]);

export interface BodyOptions {
  /** Maximum bytes, also after decompression. */
  limit: number;
  /** Whether a compressed body is accepted. */
  inflate?: boolean;
}

/**
 * Reads the bytes of a body.
 *
 * @throws ServiceError `payload_too_large` (before reading when the length was announced),
 *   `unsupported_media_type` for a compression that is not accepted, `invalid_request` when the body ends
 *   early or is not compressed as announced
 */
export async function readBody(
  request: IncomingMessage,
  { limit, inflate = false }: BodyOptions,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return collect(request, request, limit);
  const decompressor = inflate ? DECOMPRESSORS.get(encoding) : undefined;
  if (decompressor === undefined)
    throw new ServiceError(
      'unsupported_media_type',
      inflate ? 'The compression of the body is not supported.' : 'The body must not be compressed.',
    );
  return collect(request, request.pipe(decompressor()), limit);
}

async function collect(request: IncomingMessage, source: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    let size = 0;
    const fail = (error: ServiceError): void => {
      // The rest of the body is read and dropped, so that the client can read the answer.
      if (source !== request) {
        request.unpipe();
        source.destroy();
      }
      request.resume();
      reject(error);
    };
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else if (size - chunk.length <= limit) fail(bodyTooLarge(limit));
    });
    source.once('end', resolve);
    const unreadable = (): void => fail(new ServiceError('invalid_request', 'The body could not be read.'));
    source.on('error', unreadable);
    const close = (): void => (request.readableEnded ? undefined : unreadable());
    if (request.destroyed) close();
    else request.once('close', close);
  });
  const body = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  // The listeners stay as long as the request, which is that of an event stream for hours.
  chunks.length = 0;
  return body;
}

export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError('payload_too_large', `The body must not be larger than ${limit} bytes.`);
}
