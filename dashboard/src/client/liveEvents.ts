import type { Client } from 'graphql-sse';
import { createClient } from 'graphql-sse';
import { forApp } from '../session.ts';
import { changeLiveState } from './liveState.ts';
import { readAgain } from './readAgain.ts';
import { ensureSession } from './renewSession.ts';

const MAX_WAIT_MS = 10_000;

/** Browsers open six connections to a host over HTTP/1.1; the page's other requests need some. */
const MAX_STREAMS = 3;

/** How often the page is read again while more is to be listened to than there are streams. */
const POLL_MS = 5000;

type Payload = Parameters<Client['subscribe']>[0];
type Sink = Parameters<Client['subscribe']>[1];

const client = createClient({
  url: `/dashboard/live${forApp}`,
  singleConnection: false,
  retryAttempts: Number.POSITIVE_INFINITY,
  retry: async (retries) => {
    changeLiveState('paused');
    await new Promise((resolve) => setTimeout(resolve, Math.min(300 * 2 ** retries, MAX_WAIT_MS)));
    await ensureSession();
  },
  fetchFn: async (input: RequestInfo, init?: RequestInit) => {
    let answer = await fetch(input, init);
    if (answer.status === 401) {
      await ensureSession();
      answer = await fetch(input, init);
    }
    if (answer.ok) changeLiveState('live');
    return answer;
  },
});

const waiting = new Set<() => void>();
let streams = 0;

/**
 * A subscription as an event stream, where sockets do not get through. Whoever finds no stream free is served
 * by reading again.
 */
export function listenByEvents(payload: Payload, sink: Sink): () => void {
  let stop: (() => void) | undefined;
  const begin = (): void => {
    waiting.delete(begin);
    streams += 1;
    stop = client.subscribe(payload, sink);
  };
  if (streams < MAX_STREAMS) begin();
  else waiting.add(begin);
  return () => {
    waiting.delete(begin);
    if (stop === undefined) return;
    stop();
    streams -= 1;
    const [next] = waiting;
    next?.();
    if (streams === 0) changeLiveState('idle');
  };
}

setInterval(() => {
  if (waiting.size > 0 && document.visibilityState === 'visible') readAgain();
}, POLL_MS);
