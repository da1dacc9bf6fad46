import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { expectStatus } from './records.js';
import type { TestPartner } from './TestPartner.js';
import type { TestService } from './TestService.js';

/** Sends a claim and does the work of it, for a service without background work. */
export async function acceptClaim(
  service: TestService,
  app: TestPartner,
  claim: Record<string, unknown>,
): Promise<void> {
  expectStatus(await app.rest('POST', '/v1/claims', claim), 202);
  const customer = String(claim['customer_id']);
  while ((await drainCustomer(service.services, app.appId, customer)) === 'more');
}
