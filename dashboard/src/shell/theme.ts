export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const STORE = 'dashboard.theme';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORE);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORE, theme);
  applyTheme();
}

/** The style sheet's colours follow `color-scheme`. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = chosenTheme();
}
