import type { LoadHook } from 'node:module';

/**
 * A loader of modules that puts a mistake into one: the end of its address, the honest code and the broken.
 * Throws where the honest code is not found, so that a variant cannot become an honest service unseen.
 */
export function replacing(place: string, honest: string, broken: string): LoadHook {
  return async (url, context, nextLoad) => {
    const loaded = await nextLoad(url, context);
    if (!url.endsWith(place)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(honest)) throw new Error(`${place} has no "${honest}" any more.`);
    return { ...loaded, source: source.replace(honest, broken) };
  };
}
