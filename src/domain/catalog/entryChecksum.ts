import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../jsonValue.js';
import { canonicalJson } from '../resolution/canonicalJson.js';

export interface ChecksumParts {
  ontology: string;
  entry_name: string | null;
  /** By readable names. */
  fields: JsonObject;
  value: number | null;
  media: JsonObject | null;
}

/**
 * `sha256:` + hex over the RFC 8785 form of the parts, absent members left out
 * (docs/contract.md#entries-and-ontologies).
 */
export function entryChecksum(parts: ChecksumParts): string {
  const present = Object.entries<JsonValue>({ ...parts }).filter(([, value]) => value !== null);
  const text = canonicalJson(Object.fromEntries(present));
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
