import { useCallback, useEffect, useRef } from 'react';
import type { AnyVariables, UseQueryArgs, UseQueryResponse } from 'urql';
import { useQuery as useUrqlQuery } from 'urql';
import { onReadAgain } from './readAgain.ts';

const RETRY_MS = 3000;

/**
 * A query of the page. It is read again when something changed, and until it gets through when the network
 * failed. Asked to read while an answer is under way, it reads once more afterwards: that answer may be older
 * than the change.
 */
export function useQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Data, Variables> {
  const [result, readNow] = useUrqlQuery<Data, Variables>(args);
  const { pause = false } = args;
  const isReading = result.fetching || result.stale;
  const underWay = useRef(isReading);
  underWay.current = isReading;
  const isOutdated = useRef(false);
  const read = useCallback<typeof readNow>(
    (options) => {
      if (underWay.current) isOutdated.current = true;
      else readNow(options);
    },
    [readNow],
  );
  useEffect(() => {
    if (isReading || !isOutdated.current) return;
    isOutdated.current = false;
    readNow({ requestPolicy: 'network-only' });
  }, [isReading, readNow]);
  useEffect(
    () => (pause ? undefined : onReadAgain(() => read({ requestPolicy: 'network-only' }))),
    [pause, read],
  );
  const isBroken = result.error?.networkError !== undefined && !result.fetching;
  useEffect(() => {
    if (!isBroken) return undefined;
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), RETRY_MS);
    return () => clearTimeout(timer);
  }, [isBroken, read]);
  return [result, read];
}
