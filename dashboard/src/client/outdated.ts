import { createStore } from './createStore.ts';

/** The queries whose last answer is shown because they cannot be read again. */
export const outdated = createStore<ReadonlySet<symbol>>(new Set());

export function markOutdated(query: symbol, isOutdated: boolean): void {
  if (outdated.get().has(query) === isOutdated) return;
  const others = [...outdated.get()].filter((other) => other !== query);
  outdated.set(new Set(isOutdated ? [...others, query] : others));
}
