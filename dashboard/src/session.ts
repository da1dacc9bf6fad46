import { createStore } from './client/createStore.ts';

/** Who is at the dashboard, and for which app. The token stays in the service. */
export interface Session {
  locale: 'en' | 'de';
  email: string;
  /** The zone that the person chose for their times; null for the browser's. */
  timeZone: string | null;
  app: { id: string; name: string };
  scopes: readonly string[];
}

export const root = document.querySelector<HTMLElement>('#dashboard') ?? document.body;

export const session = JSON.parse(root.dataset['config'] ?? '{}') as Session;

/** The app's name as it stands in texts by now: it can be changed while the page is open. */
export const appName = createStore(session.app.name);

/** For addresses of the service, which refuses what is asked while another app is open in this browser. */
export const forApp = `?${new URLSearchParams({ app_id: session.app.id }).toString()}`;

/** Whether the person's token has all of the scopes. */
export function can(...scopes: readonly string[]): boolean {
  return scopes.every((scope) => session.scopes.includes(scope));
}
