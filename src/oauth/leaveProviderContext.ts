import type { AsyncLocalStorage } from 'node:async_hooks';

type Handler<A extends unknown[]> = (...values: A) => Promise<void>;

/**
 * Disables the provider's `AsyncLocalStorage` while no request is in the provider. On Node 20 and 22, once
 * entered, a storage makes every promise of the process more expensive until it is disabled (docs/decisions,
 * 22). The storage is internal to the provider: where a later version keeps it elsewhere, nothing is
 * disabled.
 */
export async function leaveProviderContext<A extends unknown[]>(handle: Handler<A>): Promise<Handler<A>> {
  const storage = await findStorage();
  let inside = 0;
  return async (...values) => {
    inside += 1;
    try {
      await handle(...values);
    } finally {
      inside -= 1;
      if (inside === 0) storage?.disable();
    }
  };
}

async function findStorage(): Promise<AsyncLocalStorage<unknown> | undefined> {
  try {
    const file = new URL('helpers/als.js', import.meta.resolve('oidc-provider'));
    const loaded = (await import(file.href)) as { default?: AsyncLocalStorage<unknown> };
    return typeof loaded.default?.disable === 'function' ? loaded.default : undefined;
  } catch {
    return undefined;
  }
}
