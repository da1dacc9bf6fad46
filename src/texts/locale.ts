/** Every language of the pages. A new one is a name here, and a file of its texts in `textsFor`. */
export const LOCALES = ['en', 'de'] as const;

export type Locale = (typeof LOCALES)[number];

interface Wish {
  language: string;
  weight: number;
}

/**
 * The language a browser asks for (`Accept-Language`, RFC 9110 12.5.4), or English. Regions are ignored:
 * `de-AT` is German.
 */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const wishes = (acceptLanguage ?? '').slice(0, 500).split(',').map(wishOf);
  const ordered = wishes.filter((wish) => wish.weight > 0).toSorted((a, b) => b.weight - a.weight);
  return ordered.map((wish) => wish.language).find(isLocale) ?? 'en';
}

function wishOf(range: string): Wish {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return {
    language: tag.split('-')[0]?.toLowerCase() ?? '',
    weight: quality === undefined ? 1 : Number(quality) || 0,
  };
}

function isLocale(language: string): language is Locale {
  return LOCALES.some((each) => each === language);
}

/** A language by its kept name; English where it is none of ours. */
export function localeNamed(name: string): Locale {
  return isLocale(name) ? name : 'en';
}
