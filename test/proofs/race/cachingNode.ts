import { startService } from '../../../src/app.js';
import { configFrom } from '../../../src/config.js';
import { Database } from '../../../src/database/Database.js';
import { SharedLoader } from '../../../src/loaders/SharedLoader.js';

/**
 * The service with the mistake that a proof of consent must find: each process keeps the profiles and claims
 * that it read for one second, and forgets them at its own commits alone.
 */
const KEPT_MS = 1000;

type Loader = SharedLoader<unknown, unknown, unknown>;

const kept = new Map<string, { value: Promise<unknown>; until: number }>();
const places = new Map<Loader, number>();
const { load } = SharedLoader.prototype as Loader;
const { transaction } = Database.prototype;

function keepingLoad(this: Loader, group: { appId?: unknown }, key: unknown): Promise<unknown> {
  const place = places.get(this) ?? places.size;
  places.set(this, place);
  const name = JSON.stringify([place, this['nameOf'](group), key]);
  const known = kept.get(name);
  if (known !== undefined && known.until > performance.now()) return known.value;
  const value = load.call(this, group, key);
  kept.set(name, { value, until: performance.now() + KEPT_MS });
  return value;
}

async function forgettingTransaction(
  this: Database,
  ...given: Parameters<Database['transaction']>
): Promise<unknown> {
  const result = await transaction.apply(this, given);
  kept.clear();
  return result;
}

Object.assign(SharedLoader.prototype, {
  load: keepingLoad,
  loadMany(this: Loader, group: object, keys: readonly unknown[]) {
    return Promise.all(keys.map((key) => keepingLoad.call(this, group, key)));
  },
});
Object.assign(Database.prototype, { transaction: forgettingTransaction });

await startService(configFrom(process.env));
process.stdout.write('The broken service is ready at its port.\n');
