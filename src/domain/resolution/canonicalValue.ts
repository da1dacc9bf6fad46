import type { JsonValue } from '../jsonValue.js';
import { canonicalAddress } from './canonicalAddress.js';
import { canonicalDate } from './canonicalDate.js';
import { canonicalJson } from '../canonicalJson.js';
import { canonicalNumber } from './canonicalNumber.js';
import { canonicalPersonName } from './canonicalPersonName.js';
import { canonicalPersonNames } from './canonicalPersonNames.js';
import { canonicalText } from './canonicalText.js';
import { compareText } from './compareText.js';
import type { AttributeRule, AttributeType } from './types.js';

function sortedSet(elements: readonly string[]): string {
  return canonicalJson([...new Set(elements)].toSorted(compareText));
}

function numberText(text: string): string {
  const number = canonicalNumber(text);
  return number === null ? canonicalText(text) : canonicalJson(number);
}

const TEXT_FORMS: Readonly<Record<AttributeType, (text: string) => string>> = {
  text: canonicalText,
  json: canonicalText,
  number: numberText,
  date: (text) => canonicalDate(text) ?? canonicalText(text),
  address: canonicalAddress,
  person_name: canonicalPersonName,
  person_names: (text) => sortedSet(canonicalPersonNames(text)),
  set: (text) => sortedSet([canonicalText(text)]),
};

export function isTextArray(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

/**
 * The form in which values of an attribute are compared: equal forms are the same value. Tolerances and
 * abbreviated names depend on the other values of a fact; `groupValues` applies them.
 */
export function canonicalValue(value: JsonValue, rule: AttributeRule): string {
  const type = rule.type ?? 'text';
  if (typeof value === 'string') return TEXT_FORMS[type](value);
  if (!isTextArray(value)) return canonicalJson(value);
  if (type === 'person_names') return sortedSet(value.flatMap(canonicalPersonNames));
  if (type === 'person_name' && value.length === 1) return canonicalPersonName(value[0] ?? '');
  return sortedSet(value.map(canonicalText));
}
