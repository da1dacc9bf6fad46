// A back end with typed operations: a customer, consent, a claim, the profile, and the withdrawal.
import { tokenSource } from '../../../clients/typescript/src/tokenSource.js';
import { execute } from './execute.js';
import type { Result } from './execute.js';
import type { TypedDocumentString } from './gql/graphql.js';
import {
  CreateCustomer,
  GrantConsent,
  ReadProfile,
  SendClaim,
  Withdraw,
  WorkflowState,
} from './operations.graphql.js';

const { API = 'http://localhost:4000', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const tokens = tokenSource(API, { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }, fetch);

async function run<T, V>(document: TypedDocumentString<T, V>, variables: V): Promise<Result<T>> {
  return execute(API, await tokens.take(), document, variables);
}

/** What a mutation gave. @throws Error with the first code, when it was refused */
function given<T>({ data, errors }: Result<T>): T {
  if (errors[0] !== undefined) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
  return data;
}

const key = (): { idempotencyKey: string } => ({ idempotencyKey: crypto.randomUUID() });

const { createCustomer } = given(
  await run(CreateCustomer, { input: { externalId: 'graphql-backend-1' }, ...key() }),
);
const customerId = createCustomer?.customer.id ?? '';
const purposes = ['PERSONALIZATION' as const];
const { createConsentReceipt } = given(
  await run(GrantConsent, { input: { customerId, purposes }, ...key() }),
);

const observedAt = new Date().toISOString();
const provenance = { sourcePartner: 'Example', collectedAt: observedAt };
const claim = {
  attribute: 'home.city',
  value: 'Lisbon',
  source: 'crm',
  observedAt,
  confidence: 0.9,
  provenance,
};
const { ingestClaim } = given(
  await run(SendClaim, { input: { customerId, consentPurpose: 'PERSONALIZATION', ...claim }, ...key() }),
);
await untilOver(ingestClaim?.workflowId ?? '');

const { data: before } = await run(ReadProfile, { customerId, purpose: 'PERSONALIZATION' });
for (const fact of before.resolvedProfile?.facts ?? [])
  console.log(`${fact.attribute} = ${JSON.stringify(fact.resolvedValue)}`);

given(
  await run(Withdraw, { id: createConsentReceipt?.id ?? '', input: { reason: 'USER_REQUEST' }, ...key() }),
);
const { data: after, errors } = await run(ReadProfile, { customerId, purpose: 'PERSONALIZATION' });
console.log(`after the withdrawal: ${JSON.stringify(after.resolvedProfile)} ${errors[0]?.extensions.code}`);

async function untilOver(id: string): Promise<void> {
  for (let status: string | undefined = 'ACCEPTED'; status === 'ACCEPTED' || status === 'RUNNING';) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = given(await run(WorkflowState, { id })).workflow?.status;
  }
}
