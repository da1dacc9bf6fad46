import { streamSafe } from '../streamSafe.js';
import { canonicalText } from './canonicalText.js';

const TITLES = new Set([
  'dr',
  'mr',
  'mrs',
  'ms',
  'miss',
  'prof',
  'professor',
  'sir',
  'phd',
  'md',
  'jr',
  'sr',
  'ii',
  'iii',
  'iv',
]);

function words(text: string): string[] {
  return text.split(/[\s.\-‐–]+/u).filter((word) => word !== '');
}

function withoutTitles(name: string[]): string[] {
  const kept = name.filter((word) => !TITLES.has(word));
  return kept.length === 0 ? name : kept;
}

function plain(name: string): string {
  const bare = streamSafe(canonicalText(name), 'NFD').replace(
    /([\p{Script=Latin}\p{Script=Greek}])\p{M}+|['’‘`´]/gu,
    '$1',
  );
  return streamSafe(bare, 'NFC');
}

/**
 * `given names surname`, in whichever order the name came: "O'Leary, Timothy J." and "timothy j o'leary" both
 * give `timothy j oleary`. Ignores apostrophes, full stops, titles and accents of Latin and Greek letters;
 * marks of other scripts tell names apart. Empty only if the text is.
 */
export function canonicalPersonName(name: string): string {
  const [surname = '', ...given] = plain(name)
    .split(',')
    .map((part) => withoutTitles(words(part)).join(' '))
    .filter((part) => part !== '' && !TITLES.has(part));
  const ordered = [...given, surname].filter((part) => part !== '').join(' ');
  return ordered === '' ? canonicalText(name) : ordered;
}
