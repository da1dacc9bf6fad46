import { purposeAt } from '../commands/receiptRow.js';
import type { Transaction } from '../database/Transaction.js';
import { factText } from '../domain/factText.js';
import type { JsonValue } from '../domain/jsonValue.js';
import type { Purpose } from '../domain/purposes.js';
import { attributeRule } from '../domain/resolution/attributeRule.js';
import { resolveFact } from '../domain/resolution/resolveFact.js';
import type { AccuracySnapshot, ResolvedFact } from '../domain/resolution/types.js';
import type { Services } from '../Services.js';
import { accuraciesOf } from './learning/accuraciesOf.js';

interface ClaimRow extends Record<string, unknown> {
  sequence: number;
  claim_id: string;
  attribute: string;
  value: JsonValue;
  source: string;
  observed_at: string;
  context: string | null;
  confidence: number;
  provenance: Record<string, JsonValue>;
}

export interface FactKey {
  purpose: number;
  attribute: string;
}

/** Makes the facts of the named attributes anew out of their live claims. The caller holds the customer's head. */
export async function resolveFacts(
  tx: Transaction,
  services: Services,
  customer: { customer_id: string; epochs: readonly number[] },
  keys: Iterable<FactKey>,
): Promise<void> {
  const accuracies = new Map<number, AccuracySnapshot>();
  for (const key of keys) {
    const known = accuracies.get(key.purpose) ?? (await accuraciesOf(tx, services, key.purpose));
    accuracies.set(key.purpose, known);
    await resolveOne(tx, services, customer, key, known);
  }
}

async function resolveOne(
  tx: Transaction,
  services: Services,
  { customer_id, epochs }: { customer_id: string; epochs: readonly number[] },
  { purpose, attribute }: FactKey,
  accuracies: AccuracySnapshot,
): Promise<void> {
  const epoch = epochs[purpose] ?? 0;
  const rows = await latestPerSource(tx, customer_id, purpose, attribute, epoch);
  const now = services.clock();
  if (rows.length === 0) return deleteFact(tx, customer_id, purpose, attribute);
  const claims = rows.map((row) => ({ ...row, id: row.claim_id, observedAt: row.observed_at }));
  const fact = resolveFact(claims, accuracies, attributeRule(services.attributes, attribute), now);
  const document = factDocument(customer_id, purposeAt(purpose), attribute, fact, rows);
  const texts = [factText('graphql', document), factText('rest', document), JSON.stringify(fact.explanation)];
  await tx.execute(
    `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, explanation, resolved_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (app_id, customer_id, purpose, attribute)
     DO UPDATE SET epoch = excluded.epoch, document = excluded.document, rest_document = excluded.rest_document,
                   explanation = excluded.explanation, resolved_at = excluded.resolved_at`,
    [tx.appId, customer_id, purpose, attribute, epoch, ...texts, now],
  );
}

/** Repeats by one source count once (decisions 12), so a fact costs what its sources are, not what its claims are. */
function latestPerSource(
  tx: Transaction,
  customerId: string,
  purpose: number,
  attribute: string,
  epoch: number,
): Promise<ClaimRow[]> {
  return tx.query<ClaimRow>(
    `SELECT DISTINCT ON (source) sequence, claim_id, attribute, value, source, observed_at, context, confidence, provenance
       FROM claims WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND attribute = $4 AND epoch = $5
      ORDER BY source, observed_at DESC, sequence DESC`,
    [tx.appId, customerId, purpose, attribute, epoch],
  );
}

async function deleteFact(tx: Transaction, customerId: string, purpose: number, attribute: string): Promise<void> {
  await tx.execute('DELETE FROM facts WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND attribute = $4', [
    tx.appId,
    customerId,
    purpose,
    attribute,
  ]);
}

/** The fact as the schema's `ResolvedProfileFact` gives it out, ready to be read. */
function factDocument(
  customerId: string,
  consentPurpose: Purpose,
  attribute: string,
  fact: ResolvedFact,
  rows: readonly ClaimRow[],
): object {
  const byId = new Map(rows.map((row) => [row.claim_id, row]));
  const evidence = fact.evidence.map((id) => byId.get(id)).filter((row) => row !== undefined);
  return {
    attribute,
    resolvedValue: fact.resolvedValue,
    confidence: fact.confidence,
    resolutionMethod: fact.resolutionMethod,
    consentPurpose,
    evidence: evidence.map((row) => toClaim(row, customerId, consentPurpose)),
    alternatives: fact.alternatives,
  };
}

function toClaim(row: ClaimRow, customerId: string, consentPurpose: Purpose): unknown {
  return {
    id: row.claim_id,
    customerId,
    attribute: row.attribute,
    value: row.value,
    source: row.source,
    observedAt: row.observed_at,
    context: row.context,
    consentPurpose,
    confidence: row.confidence,
    provenance: row.provenance,
  };
}
