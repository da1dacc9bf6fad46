/** Who is at the dashboard, and for which app. The token stays in the service. */
export interface Session {
  locale: 'en' | 'de';
  email: string;
  app: { id: string; name: string };
  scopes: readonly string[];
}

export const root = document.querySelector<HTMLElement>('#dashboard') ?? document.body;

export const session = JSON.parse(root.dataset['config'] ?? '{}') as Session;

/** Whether the person's token has all of the scopes. */
export function can(...scopes: readonly string[]): boolean {
  return scopes.every((scope) => session.scopes.includes(scope));
}
