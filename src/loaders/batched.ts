import DataLoader from 'dataloader';
import { isConnectionLost } from '../database/sqlState.js';
import type { ReadScope } from './ReadScope.js';

/** Maximum keys of one statement. */
const MAX_KEYS = 100;

/**
 * A loader by key that gathers the keys of one request into one statement. Nothing is cached, so nothing
 * outlives a change of consent.
 *
 * @param read the values of keys, in their order
 */
export function batched<Scope extends ReadScope, Key, Value>(
  read: (scope: Scope, keys: readonly Key[]) => Promise<Value[]>,
): (scope: Scope, key: Key) => Promise<Value> {
  const loaders = new WeakMap<Scope, DataLoader<Key, Value>>();
  const loaderOf = (scope: Scope): DataLoader<Key, Value> =>
    new DataLoader((keys) => readApart((some) => read(scope, some), keys), {
      cache: false,
      maxBatchSize: MAX_KEYS,
    });
  return (scope, key) => {
    const loader = loaders.get(scope) ?? loaderOf(scope);
    loaders.set(scope, loader);
    return loader.load(key);
  };
}

/**
 * Reads keys together; after a failure other than the connection's, each alone, so that bad data of one
 * fails no other.
 */
export async function readApart<Key, Value>(
  read: (keys: readonly Key[]) => Promise<Value[]>,
  keys: readonly Key[],
): Promise<(Value | Error)[]> {
  try {
    return await read(keys);
  } catch (error) {
    if (keys.length === 1 || isConnectionLost(error)) throw error;
  }
  const values: (Value | Error)[] = [];
  for (const key of keys) values.push(...(await read([key]).catch((error: unknown) => [error as Error])));
  return values;
}

/** Orders rows by the requested keys. */
export function inOrder<Row, T>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
  read: (row: Row) => T,
): (T | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : read(row);
  });
}
