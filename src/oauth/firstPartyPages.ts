/** A page of this service that is an OAuth client of it, like a partner's app. */
export interface FirstPartyPage {
  /** The prefix of its cookie names. */
  name: 'graphiql' | 'dashboard';
  /** Its name on the approval page. */
  title: string;
  path: `/${string}`;
  /** Whether a person chooses which of their scopes it gets. */
  choosesRights: boolean;
}

export const GRAPHIQL: FirstPartyPage = {
  name: 'graphiql',
  title: 'GraphiQL',
  path: '/graphiql',
  choosesRights: true,
};
export const DASHBOARD: FirstPartyPage = {
  name: 'dashboard',
  title: 'Dashboard',
  path: '/dashboard',
  choosesRights: false,
};

export const FIRST_PARTY_PAGES: readonly FirstPartyPage[] = [GRAPHIQL, DASHBOARD];

/** The page's redirect URI. It is allowed for every app, in addition to the app's own. */
export function firstPartyCallback(baseUrl: string, page: FirstPartyPage): string {
  return `${baseUrl}${page.path}/callback`;
}

/** The page of this service with this redirect URI, if any. */
export function firstPartyPageOf(baseUrl: string, redirectUri: string): FirstPartyPage | undefined {
  return FIRST_PARTY_PAGES.find((page) => redirectUri === firstPartyCallback(baseUrl, page));
}
