import { startService } from '../../../src/app.js';
import { configFrom } from '../../../src/config.js';
import { Database } from '../../../src/database/Database.js';
import { CLAIM_PAGE } from '../../../src/loaders/readClaimPage.js';
import { PROFILES } from '../../../src/loaders/loadProfiles.js';

/**
 * The service with the mistake that a proof of consent must find: each process keeps the profiles and claims
 * that it read for one second, and forgets them at its own commits alone.
 */
const KEPT_MS = 1000;

const KEPT: readonly string[] = [PROFILES.name, CLAIM_PAGE.name];

const kept = new Map<string, { rows: Promise<object[]>; until: number }>();
const { readAs, transaction } = Database.prototype;

function keepingRead(this: Database, ...given: Parameters<Database['readAs']>): Promise<object[]> {
  const [, { name }] = given;
  if (!KEPT.includes(name)) return readAs.apply(this, given);
  const key = JSON.stringify(given);
  const known = kept.get(key);
  if (known !== undefined && known.until > performance.now()) return known.rows;
  const rows = readAs.apply(this, given);
  kept.set(key, { rows, until: performance.now() + KEPT_MS });
  return rows;
}

async function forgettingTransaction(
  this: Database,
  ...given: Parameters<Database['transaction']>
): Promise<unknown> {
  const result = await transaction.apply(this, given);
  kept.clear();
  return result;
}

Object.assign(Database.prototype, { readAs: keepingRead, transaction: forgettingTransaction });

await startService(configFrom(process.env));
process.stdout.write('The broken service is ready at its port.\n');
