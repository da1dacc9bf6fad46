import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { relative } from 'node:path';

/** Product code, as a path below the built tree. */
const PRODUCT = /^(?:src|rest-bridge|resolvers|schema|entities)\//;

export const TURNS = 10;

/**
 * In how many of ten turns of some work a function of each of the product's files ran.
 *
 * @param before what each turn needs; not counted
 */
export async function ranFiles<T>({
  before,
  work,
}: {
  before?: () => Promise<T>;
  work: (prepared: T) => Promise<unknown>;
}): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const turnsOf = new Map<string, number>();
    for (let turn = 0; turn < TURNS; turn += 1) {
      const prepared = (await before?.()) as T;
      await session.post('Profiler.takePreciseCoverage');
      await work(prepared);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const ran = result.flatMap(({ url, functions }) =>
        functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)) ? productFile(url) : [],
      );
      for (const file of ran) turnsOf.set(file, (turnsOf.get(file) ?? 0) + 1);
    }
    return turnsOf;
  } finally {
    session.disconnect();
  }
}

function productFile(url: string): string[] {
  if (!url.startsWith('file:')) return [];
  const path = relative('dist', fileURLToPath(url)).replace(/\.js$/, '.ts');
  return PRODUCT.test(path) ? [path] : [];
}
