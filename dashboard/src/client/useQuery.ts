import { useEffect } from 'react';
import type { AnyVariables, UseQueryArgs, UseQueryResponse } from 'urql';
import { useQuery as useUrqlQuery } from 'urql';
import { onReadAgain } from './readAgain.ts';

const RETRY_MS = 3000;

/** A query of the page. It is read again when something changed, and until it gets through when the network failed. */
export function useQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Data, Variables> {
  const [result, read] = useUrqlQuery<Data, Variables>(args);
  const { pause = false } = args;
  useEffect(() => (pause ? undefined : onReadAgain(() => read({ requestPolicy: 'network-only' }))), [pause, read]);
  const isBroken = result.error?.networkError !== undefined && !result.fetching;
  useEffect(() => {
    if (!isBroken) return undefined;
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), RETRY_MS);
    return () => clearTimeout(timer);
  }, [isBroken, read]);
  return [result, read];
}
