import { forReadsOfApps } from '../database/openings.js';
import { CLAIM_TEXT, readForward, versionedText } from '../documents/StoredText.js';
import type { StoredText } from '../documents/StoredText.js';
import { GATE_TABLES, gateColumns, openSql } from '../access/consentGate.js';
import type { ReadScope } from './ReadScope.js';

export interface ClaimsQuestion {
  customerId: string;
  /** Mask of the requested purposes. */
  asked: number;
  /** Only claims of lower sequence; null: from the newest. */
  before: number | null;
  /** Maximum claims. */
  most: number;
}

/** The newest visible claims of a question. */
export interface ClaimPage {
  /** Purposes open for this read; 0 when the gate is closed. */
  open_mask: number;
  /** Requested purposes that the app may use. */
  allowed_mask: number;
  /** The claims in GraphQL's spelling. */
  documents: StoredText;
  /** Of each claim. */
  sequences: number[];
  /** Whether more visible claims follow. */
  hasMore: boolean;
}

interface PageRow {
  open_mask: string;
  allowed_mask: string;
  /** Separated by commas; null without visible claims. */
  documents: string | null;
  sequences: string | null;
  has_more: 'true' | 'false' | null;
}

/** Claims `c` that the gate `g` allows: of open purposes and their current epochs. */
const VISIBLE = `c.app_id = $1 AND c.customer_id = g.customer_id AND ${openSql('c')}`;

/** Gate and data in one snapshot, as in `loadProfiles`. @param tables of the gate, as there */
const pageFrom = (tables: string): string => `WITH gate AS MATERIALIZED (
           SELECT h.customer_id, ${gateColumns('$3::integer')}
             FROM ${tables}
            WHERE h.app_id = $1 AND h.customer_id = $2)
         SELECT g.open_mask::text AS open_mask, g.allowed_mask::text AS allowed_mask, p.documents, p.sequences,
                (p.claims = $5::integer AND EXISTS (SELECT FROM claims c WHERE ${VISIBLE}
                  AND c.sequence < p.last))::text AS has_more
           FROM gate g LEFT JOIN LATERAL (
             SELECT string_agg(document, ',' ORDER BY sequence DESC) AS documents,
                    string_agg(sequence::text, ',' ORDER BY sequence DESC) AS sequences,
                    min(sequence) AS last, count(*) AS claims
               FROM (SELECT ${versionedText(CLAIM_TEXT, 'c')} AS document, c.sequence FROM claims c
                      WHERE ${VISIBLE} AND c.sequence < coalesce($4::bigint, 9223372036854775807)
                      ORDER BY c.sequence DESC LIMIT $5::integer) c) p ON true`;

const EACH_READ = `SELECT q.*, allowed_mask
  FROM unnest($1::text[], $2::text[], $3::integer[], $4::bigint[], $5::integer[])
         WITH ORDINALITY AS q (app_id, value2, value3, value4, value5, place) JOIN apps USING (app_id)`;

export const CLAIM_PAGE = {
  name: 'claims_of_customer',
  text: pageFrom(GATE_TABLES),
  forApps: forReadsOfApps(EACH_READ, pageFrom('customer_heads h')),
  onePlan: true,
  textOnly: true,
};

/** The page that a question asks for; none where there is no such customer. */
export async function readClaimPage(
  { services, appId }: ReadScope,
  { customerId, asked, before, most }: ClaimsQuestion,
): Promise<ClaimPage | undefined> {
  const values = [appId, customerId, asked, before, most];
  const [row] = await services.database.readAs<PageRow>(appId, CLAIM_PAGE, values);
  return row && toPage(row);
}

function toPage({ open_mask, allowed_mask, documents, sequences, has_more }: PageRow): ClaimPage {
  const positions = sequences?.split(',').map(Number) ?? [];
  return {
    open_mask: Number(open_mask),
    allowed_mask: Number(allowed_mask),
    documents: readForward(CLAIM_TEXT, 'graphql', documents, positions.length),
    sequences: positions,
    hasMore: has_more === 'true',
  };
}
