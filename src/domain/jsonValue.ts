export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Maximum nesting of a free-form value. */
const MAX_DEPTH = 32;

/** Maximum length of a free-form value, in characters of JSON. */
const MAX_JSON = 65_536;

/** Maximum characters of a parameter in the query of a URL, and of a text argument in GraphQL. */
export const MAX_PARAMETER = 2048;

const OVERSIZE = `must not be longer than ${MAX_JSON} characters of JSON`;

/** What is wrong with the size of a free-form value of JSON, or undefined. The value must be storable. */
export function oversize(value: unknown): string | undefined {
  return value !== undefined && isLonger(JSON.stringify(value), MAX_JSON) ? OVERSIZE : undefined;
}

/** The same for any value that is much too large. It looks no further than the bound, before other checks. */
export function clearlyOversize(value: unknown): string | undefined {
  const isLarge = leastSize(value, 0, unitsIn) > MAX_JSON && leastSize(value, 0, charactersIn) > MAX_JSON;
  return isLarge ? OVERSIZE : undefined;
}

/**
 * Whether a text has more characters (code points) than `max`. A text has at most two UTF-16 units for each
 * of them, so only a text near the bound is counted.
 */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

function unitsIn(text: string): number {
  return text.length;
}

/** The characters of a text, or half its units where those alone are too many. */
function charactersIn(text: string): number {
  return text.length > 2 * MAX_JSON ? text.length / 2 : [...text].length;
}

/** At most the size of the value's JSON; not all of what is beyond the bound or too deep. */
function leastSize(value: unknown, depth: number, sizeOf: (text: string) => number): number {
  if (typeof value === 'string') return sizeOf(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (depth >= MAX_DEPTH) return 0;
  const isList = Array.isArray(value);
  const names = isList ? undefined : Object.keys(value);
  const count = names?.length ?? (value as unknown[]).length;
  let size = count;
  for (let at = 0; at < count && size <= MAX_JSON; at += 1) {
    const name = names?.[at] ?? '';
    const item = isList ? (value as unknown[])[at] : (value as JsonObject)[name];
    size += sizeOf(name) + leastSize(item, depth + 1, sizeOf);
  }
  return size;
}

/**
 * Why a value cannot be stored: text that PostgreSQL does not accept (NUL, lone surrogates), numbers beyond
 * JSON, or nesting deeper than 32. Undefined when it can.
 */
export function unstorable(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH}`;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  for (const name of names) {
    const problem = unstorableText(name);
    if (problem !== undefined) return problem;
  }
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    const problem = unstorable(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong with a text parameter: it is too long, or cannot be stored. Undefined when nothing is. */
export function unfitText(text: string): string | undefined {
  return isLonger(text, MAX_PARAMETER)
    ? `must have at most ${MAX_PARAMETER} characters`
    : unstorableText(text);
}

function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode';
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is neither a list nor an object. */
export function isLeaf(value: unknown): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null;
}
