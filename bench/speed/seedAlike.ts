import type { BenchHarness } from './BenchHarness.js';
import { multiplyCustomer } from './multiplyCustomer.js';
import { seedCustomers } from './seedCustomers.js';
import { vacuum } from './vacuum.js';

/** Customers that are copies of one, whose facts have a claim each; their ids. */
export async function seedAlike(
  { ownerUrl, appId }: BenchHarness,
  { customers, facts }: { customers: number; facts: number },
): Promise<string[]> {
  const one = { ownerUrl, appId, customers: 1, facts, claimsPerFact: 1, prefix: 'many' };
  const [model = ''] = await seedCustomers(one);
  const ids = await multiplyCustomer({ ownerUrl, appId, model, customers });
  await vacuum(ownerUrl);
  return ids;
}
