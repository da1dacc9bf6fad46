import { createClient } from 'graphql-ws';
import type { SubscriptionForwarder } from 'urql';
import { readAgain } from './readAgain.ts';
import { ensureSession } from './renewSession.ts';

/** How the live connection stands: `idle` while no page listens. */
export type LiveState = 'idle' | 'live' | 'paused';

let state: LiveState = 'idle';
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export const liveState = {
  get: (): LiveState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const MAX_WAIT_MS = 10_000;

const socket = createClient({
  url: `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/dashboard/live`,
  lazyCloseTimeout: 2000,
  keepAlive: 15_000,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  // A refused socket does not say why: an expired token is found by asking.
  retryWait: async (retries) => {
    await new Promise((resolve) => setTimeout(resolve, Math.min(300 * 2 ** retries, MAX_WAIT_MS)));
    await ensureSession();
  },
  on: {
    connected: () => {
      // What happened while nobody listened was missed.
      if (state === 'paused') readAgain();
      change('live');
    },
    closed: (event) =>
      change((event as CloseEvent).wasClean && (event as CloseEvent).code === 1000 ? 'idle' : 'paused'),
  },
});

function change(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Begins the connection anew, under the token that the session has now; what is subscribed to is subscribed to again. */
export function reconnect(): void {
  socket.terminate();
}

/** Carries subscriptions over one socket for the whole page. */
export const forwardSubscription: SubscriptionForwarder = ({ query, variables }) => ({
  subscribe: (sink) => ({
    unsubscribe: socket.subscribe(
      { query: query ?? '', variables: variables as Record<string, unknown> },
      {
        next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
        error: (error) => sink.error(error),
        complete: () => sink.complete(),
      },
    ),
  }),
});
