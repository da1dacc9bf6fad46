// A legacy partner over /v1: a customer, consent, a claim, the profile, and the withdrawal.
import { createPartnerClient, paginate } from '../../clients/typescript/src/index.js';

const { API = 'http://localhost:4000', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = createPartnerClient({
  baseUrl: API,
  credentials: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
});

const created = await client.POST('/v1/customers', {
  params: { header: headers() },
  body: { external_id: 'rest-typescript-1', profile: { username: 'mira' } },
});
const customerId = requireData(created).customer?.id ?? '';

const receipt = requireData(
  await client.POST('/v1/consent-receipts', {
    params: { header: headers() },
    body: { customer_id: customerId, purposes: ['personalization'], terms_version: '2026-10' },
  }),
);

const observedAt = new Date().toISOString();
const claim = requireData(
  await client.POST('/v1/claims', {
    params: { header: headers() },
    body: {
      customer_id: customerId,
      attribute: 'home.city',
      value: 'Lisbon',
      source: 'crm',
      observed_at: observedAt,
      consent_purpose: 'personalization',
      confidence: 0.9,
      provenance: { source_partner: 'Example', collected_at: observedAt },
    },
  }),
);
await untilOver(claim.workflow_id ?? '');

const profile = requireData(
  await client.GET('/v1/profiles/{customer_id}', {
    params: { path: { customer_id: customerId }, query: { consent_purpose: 'personalization' } },
  }),
);
console.log(
  profile.facts.map((fact) => `${fact.attribute} = ${JSON.stringify(fact.resolved_value)}`).join('\n'),
);

const names: (string | undefined)[] = [];
const pages = paginate((cursor) =>
  client.GET('/v1/customers', {
    params: { query: { limit: 1, ...(cursor === undefined ? {} : { cursor }) } },
  }),
);
for await (const customer of pages) names.push(customer.external_id);
console.log(`customers: ${names.join(', ')}`);

await client.POST('/v1/consent-receipts/{receipt_id}/revoke', {
  params: { path: { receipt_id: receipt.id ?? '' }, header: headers() },
  body: { reason: 'user_request' },
});
const { error } = await client.GET('/v1/profiles/{customer_id}', {
  params: { path: { customer_id: customerId }, query: { consent_purpose: 'personalization' } },
});
console.log(`after the withdrawal: ${error?.error.code}`);

function headers(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': crypto.randomUUID() };
}

function requireData<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function untilOver(workflowId: string): Promise<void> {
  for (let status: string | undefined = 'accepted'; status === 'accepted' || status === 'running';) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const path = { workflow_id: workflowId };
    status = requireData(await client.GET('/v1/workflows/{workflow_id}', { params: { path } })).status;
  }
}
