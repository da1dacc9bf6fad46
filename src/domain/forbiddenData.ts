/** What free-form customer data must not contain (interface.md, "Customer"): payment, government-id and credential data. */
export interface ForbiddenData {
  /** Path below the value given, such as `cards[0].number`. */
  path: string;
  kind: 'payment card' | 'government id' | 'credential';
}

const CARD_DIGITS = /(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)/g;
const US_SSN = /(?<!\d)(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)/;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const MRZ = /[A-Z0-9<]{2}[A-Z<]{3}[A-Z0-9<]{25,}<{2,}|P<[A-Z]{3}[A-Z<]{10,}/;

const CREDENTIALS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\bwhsec_[A-Za-z0-9+/=]{20,}/,
  /\$(?:2[aby]|argon2(?:id|i|d))\$/,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i,
];

const SECRET_NAME =
  /^(?:.*[_-])?(?:password|passwd|passphrase|pwd|secret|client_?secret|api_?key|access_?token|refresh_?token|auth_?token|private_?key|pin|cvv|cvc|cvv2|security_?code)$/i;
const GOVERNMENT_NAME =
  /^(?:.*[_-])?(?:ssn|social_?security(?:_?number)?|passport(?:_?(?:no|number))?|national_?id(?:_?number)?|tax_?id|driver'?s?_?licen[cs]e(?:_?number)?|government_?id|aadhaar|sin_?number|nino)$/i;
const PAYMENT_NAME =
  /^(?:.*[_-])?(?:card_?number|credit_?card(?:_?number)?|debit_?card(?:_?number)?|pan|iban|account_?number|routing_?number)$/i;

/** Every place in the value that holds, or by its name promises, data that must not be sent. */
export function findForbiddenData(value: unknown, path = ''): ForbiddenData[] {
  if (typeof value === 'string') return found(path, kindOfText(value));
  if (typeof value === 'number') return found(path, isCardNumber(String(value)) ? 'payment card' : undefined);
  if (Array.isArray(value)) return value.flatMap((item, index) => findForbiddenData(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findInMember(key, item, path === '' ? key : `${path}.${key}`));
}

function findInMember(key: string, item: unknown, path: string): ForbiddenData[] {
  const byName = holdsText(item) ? kindOfName(key.replace(/([a-z])([A-Z])/g, '$1_$2')) : undefined;
  const byKeyText = kindOfText(key);
  return byName !== undefined || byKeyText !== undefined
    ? found(path, byName ?? byKeyText)
    : findForbiddenData(item, path);
}

function found(path: string, kind: ForbiddenData['kind'] | undefined): ForbiddenData[] {
  return kind === undefined ? [] : [{ path, kind }];
}

function holdsText(item: unknown): boolean {
  return (typeof item === 'string' && item.trim() !== '') || typeof item === 'number';
}

function kindOfName(name: string): ForbiddenData['kind'] | undefined {
  if (SECRET_NAME.test(name)) return 'credential';
  if (GOVERNMENT_NAME.test(name)) return 'government id';
  return PAYMENT_NAME.test(name) ? 'payment card' : undefined;
}

function kindOfText(text: string): ForbiddenData['kind'] | undefined {
  if (CREDENTIALS.some((pattern) => pattern.test(text))) return 'credential';
  if (US_SSN.test(text) || MRZ.test(text)) return 'government id';
  const cards = text.match(CARD_DIGITS) ?? [];
  if (cards.some(isCardNumber)) return 'payment card';
  return (text.match(IBAN) ?? []).some(isIban) ? 'payment card' : undefined;
}

/** Thirteen to nineteen digits that begin like a card's (ISO/IEC 7812: 2 to 6) and pass the Luhn check. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  return /^[2-6]\d{12,18}$/.test(digits) && !/^(\d)\1+$/.test(digits) && luhn(digits);
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
