import DataLoader from 'dataloader';
import type { ReadScope } from './ReadScope.js';

/**
 * A loader by key that gathers the keys of one request into one statement. Nothing is cached, so nothing
 * outlives a change of consent.
 *
 * @param read the values of keys, in their order
 */
export function batched<Key, Value>(
  read: (scope: ReadScope, keys: readonly Key[]) => Promise<Value[]>,
): (scope: ReadScope, key: Key) => Promise<Value> {
  const loaders = new WeakMap<ReadScope, DataLoader<Key, Value>>();
  return (scope, key) => {
    const loader =
      loaders.get(scope) ?? new DataLoader<Key, Value>((keys) => read(scope, keys), { cache: false });
    loaders.set(scope, loader);
    return loader.load(key);
  };
}
