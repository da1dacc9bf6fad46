import type { Request } from 'express';
import { unstorable } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';
import { readBody } from '../http/readBody.js';

const MAX_BYTES = 56 * 1024;

/** The bytes of a form and its parsed fields. */
export interface Form {
  bytes: Buffer;
  fields: URLSearchParams;
}

/**
 * Reads an `application/x-www-form-urlencoded` body; undefined when it is of another type.
 *
 * @throws ServiceError `payload_too_large` over 56 KiB, `invalid_request` for NUL in it or an early end
 */
export async function readForm(request: Request): Promise<Form | undefined> {
  if (!request.is('application/x-www-form-urlencoded')) return undefined;
  const bytes = await readBody(request, { limit: MAX_BYTES });
  const fields = new URLSearchParams(bytes.toString('utf8'));
  const problem = unstorable([...fields]);
  if (problem !== undefined) throw new ServiceError('invalid_request', `A parameter ${problem}.`);
  return { bytes, fields };
}

/** A field that may be given once (RFC 6749, 3.2); undefined when it is empty, absent or repeated. */
export function singleField(form: Form, name: string): string | undefined {
  const values = form.fields.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
