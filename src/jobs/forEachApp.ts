import { allApps } from '../database/allApps.js';
import type { Database } from '../database/Database.js';

/**
 * Runs work for every app, one after another. A failing app (its node may be lost) does not keep the others
 * from theirs.
 *
 * @param also what is worked on like an app, first
 * @returns whether any of them has more to do
 * @throws the first failure, after all had their turn
 */
export async function forEachApp(
  database: Database,
  work: (appId: string) => Promise<boolean>,
  also: readonly string[] = [],
): Promise<boolean> {
  const failures: unknown[] = [];
  let more = false;
  for (const appId of [...also, ...(await allApps(database))]) {
    try {
      more = (await work(appId)) || more;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return more;
}
