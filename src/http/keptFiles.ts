import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** `Cache-Control` of a file whose name changes with its content. */
export const FOR_GOOD = 'public, max-age=31536000, immutable';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** A file that a build wrote, in memory. */
export interface KeptFile {
  type: string;
  /** The content, compressed with gzip. */
  compressed: Buffer;
}

/** The media type of a file by the end of its name. */
export function typeOfFile(name: string): string {
  return TYPES[extname(name)] ?? 'application/octet-stream';
}

/** The files of a folder that are stored as `*.gz`, by their path without that; none without the folder. */
export function loadKept(folder: string): ReadonlyMap<string, KeptFile> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const stored = names.filter((name) => name.endsWith('.gz'));
  return new Map(
    stored.map((name) => {
      const path = name.slice(0, -'.gz'.length).replaceAll('\\', '/');
      return [path, { type: typeOfFile(path), compressed: readFileSync(join(folder, name)) }];
    }),
  );
}

/** Sends a file, compressed to whoever takes that. */
export function sendKept(
  request: Request,
  response: Response,
  file: KeptFile,
  headers: Record<string, string>,
): void {
  const compressed = request.acceptsEncodings('gzip') === 'gzip';
  response.set({
    ...headers,
    'Content-Type': file.type,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(compressed ? file.compressed : gunzipSync(file.compressed));
}
