import { useEffect, useRef } from 'react';
import type { TypedDocumentNode } from 'urql';
import { useClient } from 'urql';
import type { Failure } from './failure.ts';
import { failureOf } from './failure.ts';
import { reconnect } from './live.ts';
import { ensureSession } from './renewSession.ts';

interface Handlers<Data> {
  pause?: boolean;
  onEvent?: (data: Data) => void;
  /** The stream ended with an error, such as `CONSENT_DENIED`. */
  onEnd?: (failure: Failure) => void;
}

/**
 * Listens for as long as the component is shown. Events come with the state that they lead to, which the
 * normalised cache takes up; the first one is the state when listening began. An expired token is renewed and
 * the stream taken up again.
 */
export function useLive<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  handlers: Handlers<Data> = {},
): void {
  const client = useClient();
  const { pause = false } = handlers;
  const current = useRef(handlers);
  current.current = handlers;
  const key = JSON.stringify(variables);
  useEffect(() => {
    if (pause) return undefined;
    let stop = (): void => undefined;
    let isOver = false;
    const listen = (): void => {
      const subscription = client
        .subscription(document, JSON.parse(key) as Variables)
        .subscribe(({ data, error }) => {
          const failure = failureOf(error);
          if (failure?.code === 'UNAUTHENTICATED') {
            void ensureSession().then(() => {
              if (isOver) return;
              stop();
              reconnect();
              listen();
            });
          } else if (failure !== undefined) current.current.onEnd?.(failure);
          else if (data !== undefined && data !== null) current.current.onEvent?.(data);
        });
      stop = () => subscription.unsubscribe();
    };
    listen();
    return () => {
      isOver = true;
      stop();
    };
  }, [client, document, key, pause]);
}
