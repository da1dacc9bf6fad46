import type { ReactNode } from 'react';
import { createContext, useContext } from 'react';
import type { Texts } from './en.ts';
import type { Format } from './format.ts';
import { formatFor } from './format.ts';

export type Language = 'en' | 'de';

/** Each in its own name, as a person looks for it. */
export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

const STORE = 'dashboard.language';

/** The language that the person chose here, or the one that the browser asked for. */
export function languageOr(asked: Language): Language {
  const chosen = localStorage.getItem(STORE);
  return chosen === 'en' || chosen === 'de' ? chosen : asked;
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORE, language);
  location.reload();
}

export async function loadTexts(language: Language): Promise<Texts> {
  return language === 'de' ? (await import('./de.ts')).de : (await import('./en.ts')).en;
}

interface Spoken {
  language: Language;
  texts: Texts;
  format: Format;
}

const Context = createContext<Spoken | undefined>(undefined);

export function LanguageProvider(props: { language: Language; texts: Texts; children: ReactNode }) {
  const { language, texts, children } = props;
  return <Context value={{ language, texts, format: formatFor(language) }}>{children}</Context>;
}

function useSpoken(): Spoken {
  const spoken = useContext(Context);
  if (spoken === undefined) throw new Error('There is no language.');
  return spoken;
}

export const useTexts = (): Texts => useSpoken().texts;
export const useFormat = (): Format => useSpoken().format;
export const useLanguage = (): Language => useSpoken().language;
