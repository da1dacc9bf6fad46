import type { PagesHarness } from './PagesHarness.js';

/** A customer who granted analytics, of whom the size of their shoes is known: 43.5. */
export async function personWithFact(
  harness: PagesHarness,
): Promise<{ customerId: string; receiptId: string }> {
  const post = async (path: string, body: object) => (await harness.attempt('POST', path, body)).body;
  const { customer } = await post('/v1/customers', { external_id: `runner-${Date.now()}` });
  const customerId = String((customer as { id: string }).id);
  const receipt = await post('/v1/consent-receipts', { customer_id: customerId, purposes: ['analytics'] });
  await claimShoeSize(harness, customerId);
  return { customerId, receiptId: String(receipt['id']) };
}

/** Claims a size, from a source of its own, and waits until it is the fact. */
export async function claimShoeSize(
  harness: PagesHarness,
  customerId: string,
  value: number | string = 43.5,
  source = 'shop',
): Promise<void> {
  const now = new Date().toISOString();
  await harness.attempt('POST', '/v1/claims', {
    customer_id: customerId,
    consent_purpose: 'analytics',
    attribute: 'shoe.size',
    value,
    source,
    observed_at: now,
    confidence: 0.9,
    provenance: { source_partner: 'Acme', collected_at: now },
  });
  for (;;) {
    const profile = await harness.attempt('GET', `/v1/profiles/${customerId}`);
    if ((profile.body['facts'] as unknown[]).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
