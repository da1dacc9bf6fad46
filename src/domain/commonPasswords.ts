import { dictionary } from '@zxcvbn-ts/language-common';

/** Shorter ones occur too often within good passwords. */
const MIN_LENGTH = 6;

/** The most common passwords, in lower case: the longer ones of a list of 49,000. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH),
);
