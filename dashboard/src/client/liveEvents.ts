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

/** The service sends something every twelve seconds. */
const SILENCE_MS = 20_000;

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
    let answer = await fetchWhileHeard(input, init);
    if (answer.status === 401) {
      await ensureSession();
      answer = await fetchWhileHeard(input, init);
    }
    if (answer.ok) changeLiveState('live');
    return answer;
  },
});

/** A stream that falls silent ends, as one does whose connection was closed. */
async function fetchWhileHeard(input: RequestInfo, init: RequestInit = {}): Promise<Response> {
  const silence = new AbortController();
  const end = (): void => silence.abort();
  init.signal?.addEventListener('abort', end);
  let timer = setTimeout(end, SILENCE_MS);
  const answer = await fetch(input, { ...init, signal: silence.signal });
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, stream) => {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
      stream.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
  return new Response(answer.body?.pipeThrough(heard) ?? null, answer);
}

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
