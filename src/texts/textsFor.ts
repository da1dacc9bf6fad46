import { de } from './de.js';
import type { Texts } from './en.js';
import { en } from './en.js';
import type { Locale } from './locale.js';

/** The texts of the pages, of which the compiler asks all in each language. */
const TEXTS: Record<Locale, Texts> = { en, de };

export function textsFor(locale: Locale): Texts {
  return TEXTS[locale];
}
