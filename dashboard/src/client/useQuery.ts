import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import type { AnyVariables, UseQueryArgs, UseQueryResponse } from 'urql';
import { useQuery as useUrqlQuery } from 'urql';
import { failureOf } from './failure.ts';
import { markOutdated } from './outdated.ts';
import { onReadAgain } from './readAgain.ts';

const RETRY_MS = 3000;

/** Failures that say nothing about what was asked for. */
const TRANSIENT = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED']);

/** Whether an answer may stay when it cannot be read again: not where consent may have ended since. */
export const MayKeep = createContext(true);

/**
 * A query of the page. It is read again when something changed, and until it gets through when the network
 * failed. Meanwhile the last answer stays, and with it what the person has typed. Asked to read while an
 * answer is under way, it reads once more afterwards: that answer may be older than the change.
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
  useEffect(
    () => (pause ? undefined : onReadAgain(() => read({ requestPolicy: 'network-only' }))),
    [pause, read],
  );
  const question = JSON.stringify(args.variables ?? {});
  const last = useRef<{ question: string; result: typeof result }>(undefined);
  const isAnswered = result.error === undefined && result.data !== undefined && result.data !== null;
  if (isAnswered && !isReading) last.current = { question, result };
  const isTransient =
    result.error === undefined
      ? isReading && !isAnswered
      : TRANSIENT.has(failureOf(result.error)?.code ?? '');
  const mayKeep = useContext(MayKeep);
  const kept =
    mayKeep && isTransient && last.current?.question === question ? last.current.result : undefined;
  const isBroken =
    (result.error?.networkError !== undefined || (kept !== undefined && !isReading)) && !result.fetching;
  useEffect(() => {
    if (isReading || !isOutdated.current) return;
    isOutdated.current = false;
    // What has failed says so until it is tried again.
    if (!isBroken) readNow({ requestPolicy: 'network-only' });
  }, [isReading, isBroken, readNow]);
  useEffect(() => {
    if (!isBroken) return undefined;
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), RETRY_MS);
    return () => clearTimeout(timer);
  }, [isBroken, read]);
  const [self] = useState(() => Symbol('query'));
  useEffect(() => {
    // While it is tried again, what was said of it stays.
    if (!isReading) markOutdated(self, kept !== undefined);
  }, [self, isReading, kept]);
  useEffect(() => () => markOutdated(self, false), [self, question]);
  return [kept ?? result, read];
}
