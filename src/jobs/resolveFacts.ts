import { ITEMS_A_ROUND, takeSlice } from '../concurrency/takeSlice.js';
import { toClaim } from '../../entities/ClaimEntity.js';
import type { ClaimRow } from '../../entities/ClaimEntity.js';
import type { CustomerHead } from '../commands/customerHead.js';
import { epochAt } from '../access/consentGate.js';
import { purposeAt } from '../domain/purposes.js';
import { textArray } from '../database/textArray.js';
import type { Transaction } from '../database/Transaction.js';
import { factText } from '../documents/documentText.js';
import { FACT_TEXT, versionOf } from '../documents/StoredText.js';
import { groupBy } from '../domain/groupBy.js';
import type { Purpose } from '../domain/purposes.js';
import { attributeRule } from '../domain/resolution/attributeRule.js';
import { initialAccuracies } from '../domain/resolution/initialAccuracies.js';
import { MAX_RESOLVED_SOURCES } from '../domain/resolution/constants.js';
import { resolveFact } from '../domain/resolution/resolveFact.js';
import type { AccuracySnapshot, ResolvedFact } from '../domain/resolution/types.js';
import type { Services } from '../Services.js';
import { accuraciesOf } from './learning/accuraciesOf.js';
import { toResolve } from './learning/readLiveClaims.js';

interface FactClaimRow extends ClaimRow {
  /** The fact's place in the request, from 1. */
  position: number;
  sequence: number;
}

/** A fact to resolve again. The transaction holds its customer's head. */
export interface TouchedFact {
  head: Pick<CustomerHead, 'customer_id' | 'epochs'>;
  purpose: number;
  attribute: string;
}

/** Facts that share their statements. Bounds the memory for them. */
const BATCH = 100;

/** Facts resolved in one round of the event loop, which has no other long work then. */
const FACTS_A_ROUND = 20;

/** Resolves facts again from their live claims. A fact without claims is deleted. */
export async function resolveFacts(
  tx: Transaction,
  services: Services,
  touched: Iterable<TouchedFact>,
): Promise<void> {
  const facts = [...touched];
  const accuracies = await accuraciesByPurpose(tx, services, facts);
  for (let start = 0; start < facts.length; start += BATCH) {
    await resolveBatch(tx, services, facts.slice(start, start + BATCH), accuracies);
  }
}

async function accuraciesByPurpose(
  tx: Transaction,
  services: Services,
  facts: readonly TouchedFact[],
): Promise<Map<number, AccuracySnapshot>> {
  const accuracies = new Map<number, AccuracySnapshot>();
  for (const purpose of new Set(facts.map((fact) => fact.purpose))) {
    accuracies.set(purpose, await accuraciesOf(tx, services, purpose));
  }
  return accuracies;
}

async function resolveBatch(
  tx: Transaction,
  services: Services,
  facts: readonly TouchedFact[],
  accuracies: ReadonlyMap<number, AccuracySnapshot>,
): Promise<void> {
  const rows = groupBy(await latestPerSource(tx, facts), ({ position }) => position);
  const now = services.clock();
  const gone: TouchedFact[] = [];
  const resolved: ResolvedRow[] = [];
  for (const [index, fact] of facts.entries()) {
    if (index % FACTS_A_ROUND === 0) await takeSlice(ITEMS_A_ROUND);
    const claims = rows.get(index + 1) ?? [];
    const known = accuracies.get(fact.purpose) ?? initialAccuracies();
    if (claims.length === 0) gone.push(fact);
    else resolved.push(resolveOne(services, fact, claims, known, now));
  }
  if (gone.length > 0) deleteFacts(tx, gone);
  if (resolved.length > 0) storeFacts(tx, resolved, now);
}

interface ResolvedRow {
  fact: TouchedFact;
  document: string;
  restDocument: string;
  explanation: string;
  confidence: number;
}

function resolveOne(
  services: Services,
  fact: TouchedFact,
  rows: readonly FactClaimRow[],
  accuracies: AccuracySnapshot,
  now: Date,
): ResolvedRow {
  const { head, purpose, attribute } = fact;
  const rule = attributeRule(services.attributes, attribute);
  const resolved = resolveFact(rows.map(toResolve), accuracies, rule, now);
  const document = factDocument(head.customer_id, purposeAt(purpose), attribute, resolved, rows);
  return {
    fact,
    document: factText('graphql', document),
    restDocument: factText('rest', document),
    explanation: JSON.stringify(resolved.explanation),
    confidence: resolved.confidence,
  };
}

/** Customers, purposes, attributes and epochs of facts, as parameters of `unnest`. */
function keysOf(facts: readonly TouchedFact[]): [string[], number[], string[], number[]] {
  return [
    facts.map(({ head }) => head.customer_id),
    facts.map(({ purpose }) => purpose),
    facts.map(({ attribute }) => attribute),
    facts.map(({ head, purpose }) => epochAt(head, purpose)),
  ];
}

/** Of the sources that `after` admits: the first one's latest claim on fact `k`, by `claims_latest_idx`. */
const latestOfFirst = (after = ''): string =>
  `SELECT sequence, claim_id, attribute, value, source, observed_at, context, confidence, provenance
     FROM claims WHERE app_id = $1 AND customer_id = k.customer_id AND purpose = k.purpose
      AND attribute = k.attribute AND epoch = k.epoch ${after}
    ORDER BY source, observed_at DESC, sequence DESC LIMIT 1`;

/**
 * Goes from source to source, so that the claims before a source's latest are not read. Of more sources than
 * count it gives the newest, which bounds the memory for them.
 */
export const LATEST_PER_SOURCE = `
  SELECT k.position::integer AS position, c.*
    FROM unnest($2::text[], $3::smallint[], $4::text[], $5::integer[])
         WITH ORDINALITY AS k (customer_id, purpose, attribute, epoch, position)
   CROSS JOIN LATERAL (
     WITH RECURSIVE latest AS (
       (${latestOfFirst()})
       UNION ALL
       SELECT next.* FROM latest CROSS JOIN LATERAL (${latestOfFirst('AND source > latest.source')}) next)
     SELECT * FROM latest ORDER BY observed_at DESC, sequence DESC LIMIT ${MAX_RESOLVED_SOURCES}) c`;

/** Repeats by one source count once (docs/contract.md#profiles). */
function latestPerSource(tx: Transaction, facts: readonly TouchedFact[]): Promise<FactClaimRow[]> {
  return tx.query<FactClaimRow>(LATEST_PER_SOURCE, [tx.appId, ...keysOf(facts)]);
}

function deleteFacts(tx: Transaction, facts: readonly TouchedFact[]): void {
  const [customers, purposes, attributes] = keysOf(facts);
  tx.send(
    `DELETE FROM facts f USING unnest($2::text[], $3::smallint[], $4::text[]) AS k (customer_id, purpose,
      attribute)
      WHERE f.app_id = $1 AND f.customer_id = k.customer_id AND f.purpose = k.purpose
        AND f.attribute = k.attribute`,
    [tx.appId, customers, purposes, attributes],
  );
}

function storeFacts(tx: Transaction, rows: readonly ResolvedRow[], now: Date): void {
  tx.send(
    `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, explanation,
      confidence,
       text_version, resolved_at)
     SELECT $1, k.*, ${versionOf(FACT_TEXT)}, $10
       FROM unnest($2::text[], $3::smallint[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[],
         $9::real[]) AS k
     ON CONFLICT (app_id, customer_id, purpose, attribute)
     DO UPDATE SET epoch = excluded.epoch, document = excluded.document,
       rest_document = excluded.rest_document,
                   explanation = excluded.explanation, confidence = excluded.confidence,
                   text_version = excluded.text_version, resolved_at = excluded.resolved_at`,
    [
      tx.appId,
      ...keysOf(rows.map(({ fact }) => fact)),
      textArray(rows.map(({ document }) => document)),
      textArray(rows.map(({ restDocument }) => restDocument)),
      textArray(rows.map(({ explanation }) => explanation)),
      rows.map(({ confidence }) => confidence),
      now,
    ],
  );
}

/** The fact in the form of the schema's `ResolvedProfileFact`. */
function factDocument(
  customerId: string,
  consentPurpose: Purpose,
  attribute: string,
  fact: ResolvedFact,
  rows: readonly FactClaimRow[],
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
