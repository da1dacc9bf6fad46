import { canonicalPersonName } from './canonicalPersonName.js';
import { compareText } from './compareText.js';

const LIST_SEPARATOR = /[;&/|\n]|\band\b/iu;

function isOneWord(part: string): boolean {
  return !/\s/u.test(part);
}

/** Commas separate names, or surname and given names. The number of words in each part decides which. */
function splitAtCommas(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length <= 1) return parts;
  if (parts.every((part) => !isOneWord(part))) return parts;
  if (parts.length % 2 === 0 && isOneWord(parts[0] ?? '')) return pairs(parts);
  return parts.length === 2 ? [parts.join(', ')] : parts;
}

function pairs(parts: readonly string[]): string[] {
  return parts.flatMap((part, index) => (index % 2 === 0 ? [`${part}, ${parts[index + 1] ?? ''}`] : []));
}

/** Text comes from clients, so it takes time in proportion to its length. */
function singleSpaced(text: string): string {
  return text.replace(/\s+/gu, (space) => (space.includes('\n') ? '\n' : ' '));
}

/** The canonical person names of a list written in one string, sorted and without repeats. */
export function canonicalPersonNames(text: string): string[] {
  const names = singleSpaced(text).split(LIST_SEPARATOR).flatMap(splitAtCommas).map(canonicalPersonName);
  return [...new Set(names.filter((name) => name !== ''))].toSorted(compareText);
}
