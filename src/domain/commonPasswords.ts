import { dictionary } from '@zxcvbn-ts/language-common';

/** Shorter ones are too often part of a good password. */
const MIN_LENGTH = 6;

/**
 * What people choose most often, in small letters: of the 49,000 that guessers try first, the longer ones.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH),
);
