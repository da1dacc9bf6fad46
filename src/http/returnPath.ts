/**
 * Pages that signing in may lead back to. A list, not a rule about slashes, so that no address of another
 * site can pass.
 */
const PAGES = [
  /^\/connect\/cs_[a-z0-9]{1,40}$/,
  /^\/connections$/,
  /^\/account(\/delete)?$/,
  /^\/verify-address(\?token=[\w-]{43})?$/,
  /^\/graphiql$/,
  /^\/dashboard(\/[\w-]{1,100}){0,4}(\?[\w=&.%+~-]{0,1000})?$/,
  /^\/oauth\/interaction\/[\w-]{1,64}$/,
];

/** Where to go after signing in: the page asked for when it is one of ours, else the person's connections. */
export function returnPath(wanted: string | undefined): string {
  return wanted !== undefined && PAGES.some((page) => page.test(wanted)) ? wanted : '/connections';
}
