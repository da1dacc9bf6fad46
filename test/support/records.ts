import type { Answer, Json, TestPartner } from './TestPartner.js';

let count = 0;

/** A customer made through REST; its id. */
export async function makeCustomer(app: TestPartner, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await app.rest('POST', '/v1/customers', {
    external_id: `reader-${(count += 1)}`,
    ...fields,
  });
  return expectStatus(answer, 201).customer.id as string;
}

/** A receipt that grants the purposes; its id. */
export async function grant(app: TestPartner, customerId: string, ...purposes: string[]): Promise<string> {
  const body = {
    customer_id: customerId,
    purposes,
    terms_version: '2026-01',
    privacy_policy_version: '2026-02',
  };
  return expectStatus(await app.rest('POST', '/v1/consent-receipts', body), 201).id as string;
}

/** Revokes purposes of the receipt, all when none is named; the workflow's id. */
export async function revoke(app: TestPartner, receiptId: string, ...purposes: string[]): Promise<string> {
  const body = purposes.length === 0 ? {} : { purposes };
  return expectStatus(await app.rest('POST', `/v1/consent-receipts/${receiptId}/revoke`, body), 202)
    .workflow_id as string;
}

/** The body of a claim; the fields given replace its own. */
export function claimBody(customerId: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customer_id: customerId,
    attribute: 'favourite_genre',
    value: 'crime',
    source: 'till',
    observed_at: '2026-01-02T03:04:05.000Z',
    consent_purpose: 'personalization',
    confidence: 0.9,
    provenance: { source_partner: 'Harbour Books', collected_at: '2026-01-02T03:04:05.000Z' },
    ...fields,
  };
}

/** Sends claims one after another and waits until they are applied. */
export async function sendClaims(app: TestPartner, ...bodies: Record<string, unknown>[]): Promise<void> {
  for (const body of bodies) {
    const accepted = expectStatus(await app.rest('POST', '/v1/claims', body), 202);
    await finished(app, accepted.workflow_id as string);
  }
}

/** Waits for a workflow to end; how it ended. */
export async function finished(app: TestPartner, workflowId: string): Promise<Json> {
  for (;;) {
    const workflow = expectStatus(await app.rest('GET', `/v1/workflows/${workflowId}`), 200);
    if (workflow.status === 'completed' || workflow.status === 'failed') return workflow;
    await new Promise((wake) => setTimeout(wake, 10));
  }
}

/** The body of an answer that must have the status. */
export function expectStatus(answer: Answer, status: number): Json {
  if (answer.status === status) return answer.body;
  throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`);
}
