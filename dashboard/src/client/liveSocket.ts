import { createClient } from 'graphql-ws';
import { forApp } from '../session.ts';
import { changeLiveState } from './liveState.ts';
import { ensureSession } from './renewSession.ts';

const MAX_WAIT_MS = 10_000;

/** Interval of pings, and the longest that the answer to one may take. */
const PING_MS = 5000;

/** Sockets that were refused before one ever opened: a proxy lets none through. */
const MAX_REFUSED = 2;

let refused = 0;
let hasOpened = false;
let overdue: ReturnType<typeof setTimeout> | undefined;

/** Calls back once, when sockets turn out not to get through. */
export const socketsForbidden: { listener: () => void } = { listener: () => undefined };

/** One socket for all subscriptions of the page. */
export const socket = createClient({
  url: `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/dashboard/live${forApp}`,
  lazyCloseTimeout: 2000,
  keepAlive: PING_MS,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  // A refused socket does not say why: an expired token is found by asking.
  retryWait: async (retries) => {
    await new Promise((resolve) => setTimeout(resolve, Math.min(300 * 2 ** retries, MAX_WAIT_MS)));
    await ensureSession();
  },
  on: {
    connected: () => {
      hasOpened = true;
      changeLiveState('live');
    },
    ping: (isReceived) => {
      if (!isReceived) overdue = setTimeout(() => socket.terminate(), PING_MS);
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(overdue);
    },
    closed: (event) => {
      clearTimeout(overdue);
      const isClean = (event as CloseEvent).wasClean && (event as CloseEvent).code === 1000;
      changeLiveState(isClean ? 'idle' : 'paused');
      refused += 1;
      if (!hasOpened && refused === MAX_REFUSED && navigator.onLine) socketsForbidden.listener();
    },
  },
});
