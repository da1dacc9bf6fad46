import { authExchange } from '@urql/exchange-auth';
import { cacheExchange } from '@urql/exchange-graphcache';
import type { Client } from 'urql';
import { Client as UrqlClient, fetchExchange, subscriptionExchange } from 'urql';
import { cacheOptions } from './cache.ts';
import { forwardSubscription } from './live.ts';
import { renewSession } from './renewSession.ts';

/** The dashboard's client of `/graphql`. The server adds the token on the way: this page has none. */
export function createClient(): Client {
  return new UrqlClient({
    url: '/dashboard/query',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [
      cacheExchange(cacheOptions),
      sessionExchange(),
      fetchExchange,
      subscriptionExchange({ forwardSubscription }),
    ],
  });
}

/**
 * An answer of 401 is an expired token: it is renewed once, and what was refused is sent again with its own
 * key.
 */
function sessionExchange() {
  return authExchange(async () => ({
    addAuthToOperation: (operation) => operation,
    didAuthError: ({ response }: { response?: unknown }) =>
      (response as Response | undefined)?.status === 401,
    refreshAuth: async () => {
      await renewSession();
    },
  }));
}
