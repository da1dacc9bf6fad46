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
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Names are compared in snake case. */
const SECRET_NAME =
  /^(?:.*(?:password|passwd|passphrase)|(?:.*_)?(?:pwd|secret|client_?secret|api_?key|access_?token|refresh_?token|auth_?token|private_?key|cvv|cvc|cvv2|security_?code)|(?:(?:http|proxy|x)_?)*authorization(?:_?header)?)s?$|^(?:(?:account|atm|bank|card|credit|debit|login|user)_)?pin$/i;
const GOVERNMENT_NAME =
  /^(?:.*_)?(?:ssn|social_?security(?:_?number)?|passport(?:_?(?:no|number))?|national_?id(?:_?number)?|tax_?id|driver'?s?_?licen[cs]e(?:_?number)?|government_?id|aadhaar|sin_?number|nino)s?$/i;
const PAYMENT_NAME =
  /^(?:.*_)?(?:card_?number|credit_?card(?:_?number)?|debit_?card(?:_?number)?|iban|account_?number|routing_?number)s?$|^(?:card_)?pan$/i;

/**
 * Prefixes of card numbers by their length (ISO/IEC 7812): every banking industry for 16 to 19 digits, only
 * the networks that issue them for fewer. Telephone numbers and times, which can be as long, do not match.
 */
const CARD_NUMBERS = [
  /^[456]\d{15,18}$/,
  /^4\d{12}$/,
  /^2(?:20[0-4]|22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
];

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
  const byName = holdsText(item) ? kindOfName(inSnakeCase(key)) : undefined;
  return byName === undefined ? findForbiddenData(item, path) : found(path, byName);
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
  return sent
    .normalize('NFKC')
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
  try {
    return /^[^\p{Cc}:]+:\P{Cc}*$/u.test(UTF8.decode(Buffer.from(encoded, 'base64')));
  } catch {
    return false;
  }
}

function holdsCardNumber(text: string): boolean {
  const known = text.replace(OPAQUE_ID, ' ');
  const runs = known.match(DIGIT_RUN) ?? [];
  if (runs.some((run) => holdsCardGroups(run.split(/[ -]/)))) return true;
  return (known.match(CARD_GROUPS) ?? []).some((groups) => isCardNumber(groups.replace(/\D/g, '')));
}

/** Whether adjacent groups of digits form a card number. Other numbers may precede and follow it. */
function holdsCardGroups(groups: readonly string[]): boolean {
  return groups.some((_, first) => {
    let digits = '';
    for (let next = first; next < groups.length && digits.length < 19; next += 1) {
      digits += groups[next] ?? '';
      if (isCardNumber(digits)) return true;
    }
    return false;
  });
}

/** Thirteen to nineteen digits with a card's prefix and a valid Luhn checksum. */
function isCardNumber(digits: string): boolean {
  return CARD_NUMBERS.some((pattern) => pattern.test(digits)) && !/^(\d)\1+$/.test(digits) && luhn(digits);
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighed = place % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** The mod-97 check of ISO 13616. */
function isIban(text: string): boolean {
  const compact = text.replace(/ /g, '');
  if (compact.length < 15 || compact.length > 34) return false;
  const moved = compact.slice(4) + compact.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
