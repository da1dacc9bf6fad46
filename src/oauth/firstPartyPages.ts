/** A page of this service that is an OAuth client of it, like a partner's app would be. */
export interface FirstPartyPage {
  /** Names its cookies. */
  name: 'graphiql' | 'dashboard';
  /** What the approval page calls it. */
  title: string;
  path: `/${string}`;
  /** Whether a person chooses which of their rights it gets. */
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

const PAGES = [GRAPHIQL, DASHBOARD];

/** Where the page's sign-ins come back to; allowed for every app, beside the app's own addresses. */
export function firstPartyCallback(baseUrl: string, page: FirstPartyPage): string {
  return `${baseUrl}${page.path}/callback`;
}

/** The page that a redirect URI belongs to, if it is one of ours. */
export function firstPartyPageOf(baseUrl: string, redirectUri: string): FirstPartyPage | undefined {
  return PAGES.find((page) => redirectUri === firstPartyCallback(baseUrl, page));
}
