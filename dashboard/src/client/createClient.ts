import { authExchange } from '@urql/exchange-auth';
import { cacheExchange } from '@urql/exchange-graphcache';
import type { Client, RequestPolicy } from 'urql';
import { Client as UrqlClient, fetchExchange, subscriptionExchange } from 'urql';
import { cacheOptions } from './cache.ts';
import { fetchInTime } from './fetchInTime.ts';
import { forwardSubscription } from './live.ts';
import { endSession, OTHER_APP_STATUS, renewSession } from './renewSession.ts';
import { forApp } from '../session.ts';

/** The dashboard's client of `/graphql`. The server adds the token on the way: this page has none. */
export function createClient(requestPolicy: RequestPolicy = 'cache-and-network'): Client {
  return new UrqlClient({
    url: `/dashboard/query${forApp}`,
    preferGetMethod: false,
    requestPolicy,
    fetch: fetchInTime,
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
 * key. An answer of 409 is a session for another app.
 */
function sessionExchange() {
  return authExchange(async () => ({
    addAuthToOperation: (operation) => operation,
    didAuthError: ({ response }: { response?: unknown }) => {
      const status = (response as Response | undefined)?.status;
      if (status === OTHER_APP_STATUS) endSession('otherApp');
      return status === 401;
    },
    refreshAuth: async () => {
      await renewSession();
    },
  }));
}
