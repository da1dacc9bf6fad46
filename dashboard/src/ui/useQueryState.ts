import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/**
 * What a page remembers in its address: filters, the page of a list, the purpose. Undefined values leave it.
 * The state of the history goes along unless another is given.
 */
export function useQueryState(): [
  get: (name: string) => string | undefined,
  set: (
    changes: Record<string, string | undefined>,
    options?: { replace?: boolean; state?: unknown },
  ) => void,
] {
  const [params, setParams] = useSearchParams();
  const get = useCallback((name: string) => params.get(name) ?? undefined, [params]);
  const set = useCallback(
    (changes: Record<string, string | undefined>, options: { replace?: boolean; state?: unknown } = {}) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { state: history.state as unknown, ...options },
      );
    },
    [setParams],
  );
  return [get, set];
}
