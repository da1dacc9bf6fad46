import type { ClaimRow } from '../../../entities/ClaimEntity.js';
import { GATE_TABLES, gateColumns, openSql, maskAt } from '../../access/consentGate.js';
import type { Query } from '../../database/Database.js';
import type { ResolutionClaim } from '../../domain/resolution/types.js';
import type { Services } from '../../Services.js';

type ResolvableRow = Omit<ClaimRow, 'context' | 'provenance'> & { sequence: number };

interface LiveRow extends ResolvableRow {
  /** The last customer of the batch, on every row. */
  last_id: string;
  /** Null on the only row of a batch without live claims. */
  customer_id: string | null;
}

/** Customers that one statement reads. Bounds its rows and the memory for them. */
const CUSTOMERS = 200;

/**
 * Live claims of a purpose, of the next customers: each source's latest, which counts, and the latest one of
 * an earlier moment, which shows whether the source changed it (`repeatsPerSource`). Gate and data come from
 * one snapshot, as in `loadProfiles`.
 */
const next = (name: string, ofSome: string): Query => ({
  name,
  text: `WITH page AS MATERIALIZED (
           SELECT h.customer_id, ${gateColumns(maskAt('$2::integer'))}
             FROM ${GATE_TABLES}
            WHERE h.app_id = $1 AND h.customer_id > $3 ${ofSome} ORDER BY h.customer_id LIMIT ${CUSTOMERS})
         SELECT (SELECT max(customer_id) FROM page) AS last_id, c.*
           FROM (SELECT 1) one LEFT JOIN (
             SELECT p.customer_id, c.attribute, c.claim_id, c.value, c.source, c.observed_at, c.sequence,
                    c.confidence,
                    dense_rank() OVER (own ORDER BY c.observed_at DESC) AS moment,
                    lag(c.observed_at) OVER (own ORDER BY c.observed_at DESC, c.sequence DESC) AS after
               FROM page p JOIN claims c ON c.app_id = $1 AND c.customer_id = p.customer_id AND c.purpose = $2
                AND ${openSql('c', 'p')} WINDOW own AS (PARTITION BY p.customer_id, c.attribute, c.source)) c
               ON c.moment <= 2 AND c.observed_at IS DISTINCT FROM c.after`,
});

const NEXT = next('live_claims_of_purpose', '');

/** Of one of so many customers, chosen by hash. */
const NEXT_OF_SOME = next('live_claims_of_some', 'AND mod(hashtext(h.customer_id), $4) = 0');

export interface LiveFact {
  key: string;
  claims: ResolutionClaim[];
}

function toFacts(rows: readonly LiveRow[]): LiveFact[] {
  const facts = new Map<string, LiveFact>();
  for (const row of rows) {
    if (row.customer_id === null) continue;
    const key = `${row.customer_id}/${row.attribute}`;
    const fact = facts.get(key) ?? { key, claims: [] };
    fact.claims.push(toResolve(row));
    facts.set(key, fact);
  }
  return [...facts.values()];
}

/** Copied member by member: a spread of a row of `pg` takes 4 µs. */
export function toResolve(row: ResolvableRow): ResolutionClaim {
  const { claim_id: id, attribute, value, source, observed_at: observedAt, sequence, confidence } = row;
  return { id, attribute, value, source, observedAt, sequence, confidence };
}

/** The live claims of an app and purpose, of one of so many customers, by fact, in batches of customers. */
export async function* readLiveClaims(
  { database }: Pick<Services, 'database'>,
  appId: string,
  purpose: number,
  oneOf: number,
): AsyncGenerator<LiveFact[], void, undefined> {
  let after: string | null = '';
  while (after !== null) {
    const values = [appId, purpose, after];
    const rows: LiveRow[] =
      oneOf === 1
        ? await database.readAs<LiveRow>(appId, NEXT, values)
        : await database.readAs<LiveRow>(appId, NEXT_OF_SOME, [...values, oneOf]);
    after = rows[0]?.last_id ?? null;
    yield toFacts(rows);
  }
}
