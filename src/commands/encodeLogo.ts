import { hash } from 'node:crypto';
import type { Sharp, SharpConstructor } from 'sharp';
import { validationFailed } from '../errors.js';

const MAX_SIDE_PIXELS = 4096;
const MAX_DECODE_SECONDS = 5;

/** Sharp on screens with three pixels to a point, where a page shows it at 64. */
const SIDE_PIXELS = 192;

const FORMATS = ['png', 'jpeg', 'webp'];
const LOADERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'];

export interface EncodedLogo {
  digest: string;
  png: Buffer;
}

/**
 * Encodes the picture again as a square PNG. None of the bytes sent are served, including metadata and
 * trailing data.
 *
 * @throws ServiceError `validation_failed` for anything but a PNG, JPEG or WebP within the bounds
 */
export async function encodeLogo(base64: string): Promise<EncodedLogo> {
  const png = await encode(await openPicture(Buffer.from(base64, 'base64')));
  return { png, digest: hash('sha256', png, 'base64url').slice(0, 16) };
}

async function openPicture(bytes: Buffer): Promise<Sharp> {
  const picture = (await loadSharp())(bytes, { limitInputPixels: MAX_SIDE_PIXELS ** 2, failOn: 'warning' });
  const { format, width, height } = await picture.metadata().catch(() => unreadable());
  if (!FORMATS.includes(format)) return unreadable();
  if (Math.max(width, height) > MAX_SIDE_PIXELS)
    return refuse('too_large', `must be at most ${MAX_SIDE_PIXELS} pixels wide and high`);
  return picture;
}

async function encode(picture: Sharp): Promise<Buffer> {
  const square = picture.rotate().resize(SIDE_PIXELS, SIDE_PIXELS, {
    fit: 'contain',
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  });
  const encoded = square.timeout({ seconds: MAX_DECODE_SECONDS }).png({ compressionLevel: 9 });
  return encoded.toBuffer().catch(() => unreadable());
}

/** Loaded on first use: its native library takes memory that most processes never need. */
async function loadSharp(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp');
  // Formats that can hold programs, references or whole documents are not decoded at all.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function unreadable(): never {
  return refuse('invalid_image', 'must be a whole PNG, JPEG or WebP picture in base64');
}

function refuse(code: string, message: string): never {
  throw validationFailed([{ field: 'logo', code, message }]);
}
