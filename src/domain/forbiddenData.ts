import { streamSafe } from './streamSafe.js';

/** Data that free-form customer data must not contain (docs/contract.md#customers). */
export interface ForbiddenData {
  /** Path within the given value, such as `cards[0].number`. */
  path: string;
  kind: 'payment card' | 'government id' | 'credential';
}

// Every pattern must run in linear time: the text comes from clients.
const DIGIT_RUN = /(?<![\d+])\d(?:[ -]?\d){12,}/g;
/** Groups of a card number with separators that also occur in other numbers. */
const CARD_GROUPS = /(?<!\d)\d{4}([./_])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{4,5})(?!\d)/g;
const OPAQUE_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=\d*[a-f])[0-9a-f]{32,}\b/gi;
const US_SSN =
  /(?<!\d)(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)|(?<!\d[ -]?)(?!000|666|9\d\d)\d{3} (?!00)\d{2} (?!0000)\d{4}(?![ -]?\d)/;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const MRZ = /[A-Z0-9<]{2}[A-Z<]{3}[A-Z0-9<]{25,39}<<|P<[A-Z]{3}[A-Z<]{10}/;

const CREDENTIALS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10}/,
  /\bgh[pousr]_[A-Za-z0-9]{30}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10}/,
  /\bwhsec_[A-Za-z0-9+/=]{20}/,
  /\$(?:2[aby]|argon2(?:id|i|d))\$/,
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]+:[^\s/@]+@/i,
  // The value of an authorization header. No word has a digit, or a capital after a small letter.
  /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC) (?=[\w.~+/-]*(?:\d|[a-z][A-Z]))[\w.~+/-]{20}/,
  // A short one is all of the text, as others would be found in prose.
  /^(?:authorization ?[:=] ?)?bearer (?=[\w.~+/-]*\d)[\w.~+/-]{8,}=*$/i,
  // A secret by its name: `password: …`, `"api_key": "…"`, `access_token=…`.
  /(?:password|passwd|passphrase|(?<![a-z])(?:pwd|(?:api|private)[ _-]?key|(?:access|refresh|auth)[ _-]?token|(?:client|app|api|shared|signing)[ _-]?secret))["']? ?[:=] ?["']?(?!https?:)[^\s"']{4}/i,
];

/** What stands where HTTP Basic has the name and password, as base64. */
const BASIC = /\bbasic ([\w+/-]{6,})/gi;
const UTF8 = new TextDecoder();

/** Names are compared in snake case. */
const SECRET_NAME =
  /^(?:.*(?:password|passwd|passphrase)|(?:.*_)?(?:pwd|secret|client_?secret|api_?key|access_?token|refresh_?token|auth_?token|private_?key|cvv|cvc|cvv2|security_?code)|(?:(?:http|proxy|x)_?)*authorization(?:_?header)?)s?$|^(?:(?:account|atm|bank|card|credit|debit|login|user)_)?pin$/i;
const GOVERNMENT_NAME =
  /^(?:.*_)?(?:ssn|social_?security(?:_?number)?|passport(?:_?(?:no|number))?|national_?id(?:_?number)?|tax_?id|driver'?s?_?licen[cs]e(?:_?number)?|government_?id|aadhaar|sin_?number|nino)s?$/i;
const PAYMENT_NAME =
  /^(?:.*_)?(?:card_?number|credit_?card(?:_?number)?|debit_?card(?:_?number)?|iban|account_?number|routing_?number)s?$|^(?:card_)?pan$/i;

/**
 * The first four digits of card numbers and their lengths (ISO/IEC 7812): every banking industry for 16 to 19
 * digits, only the networks that issue them for fewer. Telephone numbers and times, which can be as long, do
 * not match.
 */
const CARD_PREFIXES = [
  { from: 2200, to: 2204, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 3000, to: 3059, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3400, to: 3499, lengths: [15] },
  { from: 3528, to: 3589, lengths: [16, 17, 18, 19] },
  { from: 3600, to: 3699, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3700, to: 3799, lengths: [15] },
  { from: 3800, to: 3999, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 4000, to: 4999, lengths: [13, 16, 17, 18, 19] },
  { from: 5000, to: 6999, lengths: [16, 17, 18, 19] },
];
const ZERO = '0'.charCodeAt(0);

/** Every place in the value with forbidden data, or with a name for such data. */
export function findForbiddenData(value: unknown, path = ''): ForbiddenData[] {
  if (typeof value === 'string') return found(path, kindOfText(value));
  if (typeof value === 'number') return found(path, isCardNumber(String(value)) ? 'payment card' : undefined);
  if (Array.isArray(value))
    return value.flatMap((item, index) => findForbiddenData(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findInMember(key, item, path));
}

/** A name that is itself forbidden data is not repeated: the path of its object is given instead. */
function findInMember(key: string, item: unknown, parent: string): ForbiddenData[] {
  const byKeyText = kindOfText(key);
  if (byKeyText !== undefined) return found(parent, byKeyText);
  const path = parent === '' ? key : `${parent}.${key}`;
  const byName = kindOfName(inSnakeCase(key));
  return byName !== undefined && holdsText(item) ? found(path, byName) : findForbiddenData(item, path);
}

function found(path: string, kind: ForbiddenData['kind'] | undefined): ForbiddenData[] {
  return kind === undefined ? [] : [{ path, kind }];
}

/** Whether there is any text or number in it. */
function holdsText(item: unknown): boolean {
  if (typeof item === 'object' && item !== null) return Object.values(item).some(holdsText);
  return (typeof item === 'string' && item.trim() !== '') || typeof item === 'number';
}

function kindOfName(name: string): ForbiddenData['kind'] | undefined {
  if (SECRET_NAME.test(name)) return 'credential';
  if (GOVERNMENT_NAME.test(name)) return 'government id';
  return PAYMENT_NAME.test(name) ? 'payment card' : undefined;
}

function inSnakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[ -]/g, '_');
}

function kindOfText(sent: string): ForbiddenData['kind'] | undefined {
  const text = plain(sent);
  if (CREDENTIALS.some((pattern) => pattern.test(text)) || holdsBasic(text)) return 'credential';
  if (US_SSN.test(text) || MRZ.test(text)) return 'government id';
  if (holdsCardNumber(text)) return 'payment card';
  const ibans = text.replace(OPAQUE_ID, ' ').toUpperCase().match(IBAN) ?? [];
  return ibans.some(isIban) ? 'payment card' : undefined;
}

/**
 * NFKC makes full-width digits and no-break spaces match too, and digits of any script are digits. What has
 * no width hides nothing, nor does repeated white space. No telephone number has 16 digits.
 */
function plain(sent: string): string {
  return streamSafe(sent, 'NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/(?=[^0-9])\p{Nd}/gu, asciiDigit)
    .replace(/\s+/g, ' ')
    .replace(/ ?- ?/g, '-')
    .replace(/\+(?=\d{16})/g, ' ');
}

/** Unicode has the ten digits of a script in a row, from zero on. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value);
}

/** Whether a name and a password stand in the text as HTTP Basic sends them (RFC 7617). */
function holdsBasic(text: string): boolean {
  return [...text.matchAll(BASIC)].some(([, encoded = '']) => isNameAndPassword(encoded));
}

function isNameAndPassword(encoded: string): boolean {
  // Some numbers and words decode to text with a colon, as `05060708` does.
  if (!/[A-Z]/.test(encoded) || !/[a-z]/.test(encoded)) return false;
  // What is not UTF-8 is decoded to U+FFFD: an exception for each would take as long as much text.
  return /^[^\p{Cc}\ufffd:]+:[^\p{Cc}\ufffd]*$/u.test(UTF8.decode(Buffer.from(encoded, 'base64')));
}

function holdsCardNumber(text: string): boolean {
  const known = text.replace(OPAQUE_ID, ' ');
  const runs = known.match(DIGIT_RUN) ?? [];
  if (runs.some(holdsCardGroups)) return true;
  return (known.match(CARD_GROUPS) ?? []).some((groups) => isCardNumber(groups.replace(/\D/g, '')));
}

/** Whether adjacent groups of digits form a card number. Other numbers may precede and follow it. */
function holdsCardGroups(run: string): boolean {
  const groups = run.split(/[ -]/);
  const digits = groups.join('');
  let end = 0;
  const edges = new Set([0, ...groups.map((group) => (end += group.length))]);
  return [...edges].some((start) =>
    cardLengths(digits, start).some((length) => edges.has(start + length) && isValid(digits, start, length)),
  );
}

function isCardNumber(text: string): boolean {
  const { length } = text;
  return /^\d+$/.test(text) && cardLengths(text, 0).includes(length) && isValid(text, 0, length);
}

/** Lengths of the card numbers that begin with the digits at this place. */
function cardLengths(digits: string, start: number): readonly number[] {
  const prefix = Number(digits.slice(start, start + 4));
  return CARD_PREFIXES.find(({ from, to }) => from <= prefix && prefix <= to)?.lengths ?? [];
}

/** Whether the digits have a valid Luhn checksum and are not all the same. */
function isValid(digits: string, start: number, length: number): boolean {
  let sum = 0;
  let isMixed = false;
  for (let place = 0; place < length; place += 1) {
    const digit = digits.charCodeAt(start + length - 1 - place) - ZERO;
    const weighed = place % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
    isMixed ||= digit !== digits.charCodeAt(start) - ZERO;
  }
  return isMixed && sum % 10 === 0;
}

/** The mod-97 check of ISO 13616. */
function isIban(text: string): boolean {
  const compact = text.replace(/ /g, '');
  if (compact.length < 15 || compact.length > 34) return false;
  const moved = compact.slice(4) + compact.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
