/**
 * Pages to which signing in may redirect. A list instead of a rule about slashes, so that no address of
 * another site is accepted.
 */
const PAGES = [
  /^\/connect\/cs_[a-z0-9]{1,40}$/,
  /^\/connections(\?again=lost)?$/,
  /^\/account(\/delete|\?again=(1|lost))?$/,
  /^\/verify-address(\?token=[\w-]{43})?$/,
  /^\/graphiql$/,
  /^\/dashboard(\/[\w-]{1,100}){0,4}(\?[\w=&.%+~-]{0,1000})?$/,
  /^\/oauth\/interaction\/[\w-]{1,64}$/,
];

/** The page after signing in: the requested one if it is listed, else the person's connections. */
export function returnPath(wanted: string | undefined): string {
  return wanted !== undefined && PAGES.some((page) => page.test(wanted)) ? wanted : '/connections';
}
