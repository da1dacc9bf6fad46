import pg from 'pg';
import { claimText, factText } from '../../src/documents/documentText.js';
import { CLAIM_TEXT, FACT_TEXT, versionOf } from '../../src/documents/StoredText.js';
import { PURPOSES, PLACE_OF } from '../../src/domain/purposes.js';
import type { Purpose } from '../../src/domain/purposes.js';

export interface SeedPlan {
  ownerUrl: string;
  appId: string;
  customers: number;
  facts: number;
  /**
   * Claims of each fact. They come from 6 sources at most, each of which counts once and is evidence once.
   */
  claimsPerFact: number;
  /** Distinguishes several seedings. */
  prefix: string;
}

/** Of the parts that do not ask what claims cost. */
export const CLAIMS_PER_FACT = 3;

const BATCH = 100;
const SOURCES = 6;
const AT = '2026-11-01T08:00:00.000Z';

/** Writes customers whose facts and claims are what the recompute would have written. @returns their ids */
export async function seedCustomers(plan: SeedPlan): Promise<string[]> {
  const client = new pg.Client({ connectionString: plan.ownerUrl });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  const ids = Array.from(
    { length: plan.customers },
    (_, index) => `cus_${plan.prefix}${String(index).padStart(12, '0')}`,
  );
  try {
    for (let start = 0; start < ids.length; start += BATCH)
      await insertBatch(client, plan, ids.slice(start, start + BATCH));
    for (const table of ['customers', 'customer_heads', 'facts', 'claims'])
      await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
  return ids;
}

type Rows = Record<string, unknown>[];

async function insertBatch(client: pg.Client, plan: SeedPlan, ids: readonly string[]): Promise<void> {
  await insert(
    client,
    'customers',
    ids.map((id) => customerRow(plan, id)),
  );
  await insert(
    client,
    'customer_heads',
    ids.map((id) => headRow(plan, id)),
  );
  for (const id of ids) {
    const facts = Array.from({ length: plan.facts }, (_, index) => makeFact(plan, id, index));
    await insert(
      client,
      'facts',
      facts.map((fact) => factRow(plan, id, fact)),
    );
    await insert(
      client,
      'claims',
      facts.flatMap(({ claims }) => claims.map((claim) => claimRow(plan, id, claim))),
    );
  }
}

async function insert(client: pg.Client, table: string, rows: Rows): Promise<void> {
  await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
    JSON.stringify(rows),
  ]);
}

function customerRow({ appId }: SeedPlan, id: string): Record<string, unknown> {
  const profile = {
    username: `reader ${id.slice(-6)}`,
    bioMarkdown: 'Reads *a lot*.',
    publicLocation: { city: 'Kiel', country: 'DE' },
  };
  const metadata = { tier: 'gold', since: 2019, tags: ['newsletter', 'beta'] };
  return {
    app_id: appId,
    customer_id: id,
    external_id: `external-${id}`,
    status: 'active',
    profile,
    metadata,
    created_at: AT,
    updated_at: AT,
  };
}

function headRow({ appId, facts, claimsPerFact }: SeedPlan, id: string): Record<string, unknown> {
  const sequence = facts * claimsPerFact;
  const epochs = PURPOSES.map(() => 1);
  return {
    app_id: appId,
    customer_id: id,
    sequence,
    applied_sequence: sequence,
    granted_mask: 127,
    epochs,
    changed_at: AT,
  };
}

interface Claim {
  id: string;
  sequence: number;
  customerId: string;
  attribute: string;
  value: string;
  source: string;
  observedAt: string;
  context: string;
  consentPurpose: Purpose;
  confidence: number;
  provenance: Record<string, string>;
}

interface Fact {
  attribute: string;
  consentPurpose: Purpose;
  claims: Claim[];
}

function makeFact(plan: SeedPlan, customerId: string, index: number): Fact {
  const consentPurpose: Purpose = index % 3 === 0 ? 'analytics' : 'personalization';
  const attribute = `preference.topic_${String(index).padStart(3, '0')}`;
  const claims = Array.from({ length: plan.claimsPerFact }, (_, item) =>
    makeClaim(plan, customerId, { attribute, consentPurpose }, index, item),
  );
  return { attribute, consentPurpose, claims };
}

function makeClaim(
  plan: SeedPlan,
  customerId: string,
  { attribute, consentPurpose }: Pick<Fact, 'attribute' | 'consentPurpose'>,
  factIndex: number,
  item: number,
): Claim {
  const sequence = factIndex * plan.claimsPerFact + item + 1;
  return {
    id: `clm_${customerId.slice(4)}_${sequence}`,
    sequence,
    customerId,
    attribute,
    value: `value ${factIndex} of ${customerId.slice(-5)}`,
    source: `source_${item % SOURCES}`,
    observedAt: new Date(Date.parse(AT) - item * 86_400_000).toISOString(),
    context: 'seen at the till of the harbour branch',
    consentPurpose,
    confidence: 0.9 - (item % 5) / 50,
    provenance: {
      sourcePartner: 'Harbour Books',
      collectedAt: AT,
      sourceSystem: 'till-17',
      evidenceUrl: `https://partner.example/evidence/${customerId}/${sequence}`,
    },
  };
}

function factRow(
  { appId }: SeedPlan,
  customerId: string,
  { attribute, consentPurpose, claims }: Fact,
): Record<string, unknown> {
  const document = {
    attribute,
    resolvedValue: claims[0]?.value ?? '',
    confidence: 0.93,
    resolutionMethod: 'accuracy_vote',
    consentPurpose,
    evidence: claims.slice(0, SOURCES),
    alternatives: [
      { value: 'another value', confidence: 0.05, reason: 'lower_confidence' },
      { value: 'a third value', confidence: 0.02, reason: 'older_observation' },
    ],
  };
  return {
    app_id: appId,
    customer_id: customerId,
    purpose: PLACE_OF[consentPurpose],
    attribute,
    epoch: 1,
    document: factText('graphql', document),
    rest_document: factText('rest', document),
    resolved_at: AT,
    confidence: document.confidence,
    text_version: versionOf(FACT_TEXT),
  };
}

function claimRow({ appId }: SeedPlan, customerId: string, claim: Claim): Record<string, unknown> {
  return {
    app_id: appId,
    customer_id: customerId,
    sequence: claim.sequence,
    claim_id: claim.id,
    purpose: PLACE_OF[claim.consentPurpose],
    epoch: 1,
    attribute: claim.attribute,
    value: claim.value,
    source: claim.source,
    observed_at: claim.observedAt,
    context: claim.context,
    confidence: claim.confidence,
    provenance: claim.provenance,
    document: claimText(claim),
    text_version: versionOf(CLAIM_TEXT),
  };
}
