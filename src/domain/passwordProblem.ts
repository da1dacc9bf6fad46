import { COMMON_PASSWORDS } from './commonPasswords.js';
import { streamSafe } from './streamSafe.js';

/** Bounds in characters (code points after Unicode NFKC). The upper one bounds the work of the hash. */
export const PASSWORD_LENGTH = { least: 12, most: 128 } as const;

export type PasswordProblem = 'password_short' | 'password_long' | 'password_known';

/** Parts of common passwords, in lower case, without digits in place of letters. */
const KNOWN_PARTS = `
  password passwort passwd passphrase pass word secret geheim letmein iloveyou ichliebedich welcome willkommen
  hello hallo admin administrator root user login guest test testing demo default changeme change me master
  access superman batman princess sunshine football fussball baseball basketball dragon monkey shadow michael
  jordan starwars pokemon computer internet trustno freedom whatever mustang charlie jesus ninja qwerty qwertz
  azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm yxcvbnm qwertyuiop qwertzuiop qaz wsx edc qazwsx abc abcd abcdef
  abcdefg abcdefgh abcdefghijkl summer sommer winter spring fruehling autumn herbst january february march
  april may june july august september october november december monday tuesday wednesday thursday friday
  saturday sunday google facebook microsoft linkedin service partner consent correct horse battery staple my
  the and your is new old temp temporary
`
  .trim()
  .split(/\s+/);

const LOOKALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const HEAD = /^[\d\p{P}\p{S}]+/u;
const TAIL = /[\d\p{P}\p{S}]+$/u;

const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];

/** Why a password is refused: too short, too long, or easily guessed. Case is ignored. */
export function passwordProblem(password: string, email: string): PasswordProblem | undefined {
  const text = streamSafe(password, 'NFKC');
  const { length } = [...text];
  if (length < PASSWORD_LENGTH.least) return 'password_short';
  if (length > PASSWORD_LENGTH.most) return 'password_long';
  return isKnown(text.toLowerCase(), email) ? 'password_known' : undefined;
}

function isKnown(text: string, email: string): boolean {
  const own = email.split(/[^\p{L}]+/u).filter((part) => part.length > 2);
  return repeats(text) || isRun(text) || isCommon(text) || isMadeOf(own, text);
}

/** A common password, at most with digits and signs before or after it. */
function isCommon(text: string): boolean {
  const tail = TAIL.exec(text)?.[0].length ?? 0;
  const forms = [text, text.replace(HEAD, '')].flatMap((form) =>
    Array.from({ length: tail + 1 }, (_, behind) => form.slice(0, form.length - behind)),
  );
  return forms.some((form) => COMMON_PASSWORDS.has(form) || COMMON_PASSWORDS.has(withLetters(form)));
}

/** A short piece repeated: `aaaaaaaaaaaa`, `abc1abc1abc1`. */
function repeats(text: string): boolean {
  return /^(.{1,6}?)\1+.{0,2}$/u.test(text);
}

/** Only sequences of the alphabet, the digits or a keyboard row, in either direction. */
function isRun(text: string): boolean {
  return coveredBy(text, (at) => longestRunAt(text, at), 3);
}

/** Only the person's own address, or known words run together. Separated words are a passphrase. */
function isMadeOf(own: readonly string[], text: string): boolean {
  return [text, withLetters(text.replace(TAIL, ''))].some((form) => {
    const letters = form.replace(/[^\p{L}]+/gu, '');
    const isPhrase = /\p{L}[\s._-]+\p{L}/u.test(form);
    return letters.length === 0 || spells(own, letters) || (!isPhrase && spells(KNOWN_PARTS, letters));
  });
}

/** Replaces digits and signs by the letters that they stand for. */
function withLetters(text: string): string {
  return [...text].map((character) => LOOKALIKES[character] ?? character).join('');
}

/** Whether a concatenation of the words gives the letters. */
function spells(words: readonly string[], letters: string): boolean {
  const reachable = new Set([0]);
  for (let at = 0; at < letters.length; at += 1) {
    if (!reachable.has(at)) continue;
    for (const word of words) if (letters.startsWith(word, at)) reachable.add(at + word.length);
  }
  return reachable.has(letters.length);
}

function coveredBy(text: string, lengthAt: (at: number) => number, least: number): boolean {
  for (let at = 0; at < text.length;) {
    const length = lengthAt(at);
    if (length < least) return false;
    at += length;
  }
  return true;
}

function longestRunAt(text: string, at: number): number {
  const rows = [...ROWS, ...ROWS.map((row) => [...row].toReversed().join(''))];
  let longest = 0;
  for (const row of rows) {
    let length = 1;
    while (at + length <= text.length && row.includes(text.slice(at, at + length))) length += 1;
    longest = Math.max(longest, length - 1);
  }
  return longest;
}
