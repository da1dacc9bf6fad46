import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { relative } from 'node:path';

/** Product code, as a path below the built tree. */
const PRODUCT = /^(?:src|rest-bridge|resolvers|schema|entities)\//;

/**
 * The product's files of which a function ran in every one of several turns of some work, in the order of
 * their names. What runs in the background now and then is not among them.
 *
 * @param before what each turn needs; not counted
 */
export async function ranFiles<T>(
  { before, work }: { before?: () => Promise<T>; work: (prepared: T) => Promise<unknown> },
  turns = 10,
): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    let common: ReadonlySet<string> | undefined;
    for (let turn = 0; turn < turns; turn += 1) {
      const prepared = (await before?.()) as T;
      await session.post('Profiler.takePreciseCoverage');
      await work(prepared);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const ran = result.flatMap(({ url, functions }) =>
        functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)) ? productFile(url) : [],
      );
      const sofar = common;
      common = new Set(sofar === undefined ? ran : ran.filter((file) => sofar.has(file)));
    }
    return [...(common ?? [])].toSorted();
  } finally {
    session.disconnect();
  }
}

function productFile(url: string): string[] {
  if (!url.startsWith('file:')) return [];
  const path = relative('dist', fileURLToPath(url)).replace(/\.js$/, '.ts');
  return PRODUCT.test(path) ? [path] : [];
}
