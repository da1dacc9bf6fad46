import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import express from 'express';
import { ServiceError } from '../src/errors.js';
import { bodyTooLarge } from '../src/http/bodyTooLarge.js';
import { refuseAnnounced } from '../src/http/refuseAnnounced.js';

const readers = new Map<number, express.RequestHandler>();

/** The bytes of the body. @throws ServiceError `payload_too_large` or `unsupported_media_type` (compressed bodies) */
export async function readBody(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
  refuseAnnounced(request, limit);
  const read = request as Request;
  await new Promise<void>((resolve, reject) => {
    readerOf(limit)(read, response as Response, (error?: unknown) =>
      error === undefined ? resolve() : reject(readError(error, limit)),
    );
  });
  return Buffer.isBuffer(read.body) ? read.body : Buffer.alloc(0);
}

function readerOf(limit: number): express.RequestHandler {
  const known = readers.get(limit);
  if (known !== undefined) return known;
  const reader = express.raw({ type: () => true, limit, inflate: false });
  readers.set(limit, reader);
  return reader;
}

function readError(error: unknown, limit: number): ServiceError {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return bodyTooLarge(limit);
  if (type === 'encoding.unsupported')
    return new ServiceError('unsupported_media_type', 'The body must not be compressed.');
  return new ServiceError('invalid_request', 'The body could not be read.');
}
