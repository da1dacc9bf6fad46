import type { ResolvedProfile, ResolvedProfileFact } from '../../schema/types/ResolvedProfile.js';
import { GateClosed, GateOpen } from '../access/Gated.js';
import type { Gated } from '../access/Gated.js';
import { parseFacts } from '../domain/factText.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { StoredText } from '../domain/StoredText.js';
import { inOrder } from './Loaders.js';
import type { FactForm, Loaders } from './Loaders.js';

interface ProfileRow extends Record<string, unknown> {
  customer_id: string;
  /** Purposes open for this read; 0 when the gate is closed. */
  open_mask: number;
  /** Purposes asked for that the app may use at all. */
  allowed_mask: number;
  documents: string | null;
  resolved_at: string;
}

/**
 * The gate and the data in one statement and so in one snapshot (decisions 11): facts are given out only for purposes that
 * are granted, allowed to the app and asked for, and only in the epoch that is open now.
 */
const BY_CUSTOMER = {
  name: 'profiles',
  text: `WITH gate AS MATERIALIZED (
           SELECT h.customer_id, h.epochs, h.changed_at, h.granted_mask & a.allowed_mask & $3::integer AS open_mask,
                  a.allowed_mask & $3::integer AS allowed_mask
             FROM customer_heads h JOIN apps a ON a.app_id = h.app_id
            WHERE h.app_id = $1 AND h.customer_id = ANY ($2))
         SELECT g.customer_id, g.open_mask, g.allowed_mask, f.documents, coalesce(f.resolved_at, g.changed_at) AS resolved_at
           FROM gate g LEFT JOIN LATERAL (
             SELECT '[' || string_agg(CASE WHEN $4::boolean THEN f.rest_document ELSE f.document END, ',' ORDER BY f.attribute, f.purpose) || ']' AS documents, max(f.resolved_at) AS resolved_at
               FROM facts f
              WHERE f.app_id = $1 AND f.customer_id = g.customer_id AND (g.open_mask >> f.purpose) & 1 = 1
                AND f.epoch = g.epochs[f.purpose + 1]) f ON true`,
};

export async function loadProfiles(
  { services, appId, factForm }: Loaders,
  ids: readonly string[],
  purpose: Purpose | undefined,
): Promise<(Gated<ResolvedProfile> | undefined)[]> {
  const asked = purpose === undefined ? ALL_PURPOSES_MASK : maskOf([purpose]);
  const rows = await services.database.readAs<ProfileRow>(appId, BY_CUSTOMER, [appId, ids, asked, factForm === 'rest']);
  return inOrder(
    ids,
    rows,
    (row) => row.customer_id,
    (row) => toProfile(row, purpose, factForm),
  );
}

function toProfile(row: ProfileRow, purpose: Purpose | undefined, form: FactForm): Gated<ResolvedProfile> {
  if (purpose !== undefined && row.open_mask === 0)
    return new GateClosed(purpose, row.allowed_mask === 0 ? 'purpose' : 'receipt');
  const facts = factsIn(form, row.documents ?? '[]');
  return new GateOpen({ customerId: row.customer_id, facts, resolvedAt: row.resolved_at }, row.open_mask);
}

function factsIn(form: FactForm, text: string): ResolvedProfile['facts'] {
  return form === 'objects' ? (parseFacts(text) as ResolvedProfileFact[]) : new StoredText(text);
}
