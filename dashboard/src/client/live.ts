import type { SubscriptionForwarder } from 'urql';
import { socket, socketsForbidden } from './liveSocket.ts';

type Request = Parameters<SubscriptionForwarder>[0];
type Sink = Parameters<ReturnType<SubscriptionForwarder>['subscribe']>[0];
type Listen = (request: Request, sink: Sink) => () => void;

const listenBySocket: Listen = (request, sink) =>
  socket.subscribe(payloadOf(request), sink as Parameters<typeof socket.subscribe>[1]);

let listen: Listen = listenBySocket;
const restarts = new Set<() => void>();

socketsForbidden.listener = (): void => {
  void import('./liveEvents.ts').then(({ listenByEvents }) => {
    listen = (request, sink) =>
      listenByEvents(payloadOf(request), sink as Parameters<typeof listenByEvents>[1]);
    for (const restart of restarts) restart();
  });
};

/**
 * Begins the connection anew, under the token that the session has now; what is subscribed to is subscribed
 * to again.
 */
export function reconnect(): void {
  socket.terminate();
}

/**
 * Carries subscriptions over one socket for the whole page, or over event streams where a proxy forbids
 * sockets.
 */
export const forwardSubscription: SubscriptionForwarder = (request) => ({
  subscribe: (sink) => {
    let stop = begin(request, sink);
    const restart = (): void => {
      stop();
      stop = begin(request, sink);
    };
    restarts.add(restart);
    return {
      unsubscribe: () => {
        restarts.delete(restart);
        stop();
      },
    };
  },
});

/** Stopping ends the former connection, which is not the end of the subscription. */
function begin(request: Request, sink: Sink): () => void {
  let isStopped = false;
  const stop = listen(request, {
    next: (value) => void (isStopped || sink.next(value)),
    error: (error) => void (isStopped || sink.error(error)),
    complete: () => void (isStopped || sink.complete()),
  });
  return () => {
    isStopped = true;
    stop();
  };
}

function payloadOf({ query, variables }: Request): { query: string; variables: Record<string, unknown> } {
  return { query: query ?? '', variables: variables as Record<string, unknown> };
}
