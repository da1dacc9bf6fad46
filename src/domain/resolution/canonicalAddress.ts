import { canonicalText } from './canonicalText.js';

const WORDS: Readonly<Record<string, string>> = {
  street: 'st',
  strasse: 'str',
  avenue: 'ave',
  av: 'ave',
  road: 'rd',
  boulevard: 'blvd',
  drive: 'dr',
  lane: 'ln',
  court: 'ct',
  square: 'sq',
  place: 'pl',
  highway: 'hwy',
  apartment: 'apt',
  suite: 'ste',
  floor: 'fl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
};

/** Drops punctuation and abbreviates the usual words; keeps the order of the words. */
export function canonicalAddress(address: string): string {
  const words = canonicalText(address)
    .replace(/[.,;#]+/gu, ' ')
    .split(/\s+/u);
  return words
    .filter((word) => word !== '')
    .map((word) => (Object.hasOwn(WORDS, word) ? (WORDS[word] ?? word) : word))
    .join(' ');
}
