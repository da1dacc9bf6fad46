import { isJsonObject } from '../jsonValue.js';
import type { JsonValue } from '../jsonValue.js';
import { parseTimestamp } from '../timestamp.js';
import type { FieldType } from './Ontology.js';

const RULES: Readonly<Record<FieldType, { fits: (value: JsonValue) => boolean; message: string }>> = {
  string: { fits: (value) => typeof value === 'string', message: 'must be a string' },
  number: { fits: Number.isFinite, message: 'must be a number' },
  integer: {
    fits: Number.isSafeInteger,
    message: `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  },
  boolean: { fits: (value) => typeof value === 'boolean', message: 'must be true or false' },
  date_time: {
    fits: (value) => typeof value === 'string' && parseTimestamp(value) !== undefined,
    message: 'must be an RFC 3339 date-time',
  },
  string_array: {
    fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
    message: 'must be an array of strings',
  },
  object: { fits: isJsonObject, message: 'must be an object' },
};

/** Why a field of the type cannot hold a value; undefined when it can. */
export function fieldValueProblem(type: FieldType, value: JsonValue): string | undefined {
  const { fits, message } = RULES[type];
  return fits(value) ? undefined : message;
}

/** One spelling for equal values: a date-time has many. */
export function canonicalFieldValue(type: FieldType, value: JsonValue): JsonValue {
  return type === 'date_time' && typeof value === 'string' ? canonicalDateTime(value) : value;
}

/** In UTC, with what a fraction has beyond milliseconds: such values differ. */
function canonicalDateTime(text: string): string {
  const [, beyond = ''] = /\.\d{3}(\d*?)0*(?:Z|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
  return parseTimestamp(text)?.replace('Z', `${beyond}Z`) ?? text;
}
