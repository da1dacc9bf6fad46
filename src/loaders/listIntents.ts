import type { Connection } from '../../schema/connection.js';
import type { Claim } from '../../schema/types/Claim.js';
import type { Intent } from '../../schema/types/Intent.js';
import { askedMask, GATE_TABLES, gateColumns, openSql, passGate } from '../access/consentGate.js';
import type { Gated } from '../access/consentGate.js';
import { isoTime } from '../database/types.js';
import { purposeAt } from '../domain/purposes.js';
import { agedConfidence } from '../domain/intents/intentsOf.js';
import type { RequestServices } from '../Services.js';
import type { IntentCategory } from '../domain/intents/IntentRules.js';
import type { Purpose } from '../domain/purposes.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

interface IntentRow {
  open_mask: number;
  allowed_mask: number;
  /** Null on the only row when no intent is visible. */
  intent_id: string | null;
  purpose: number;
  category: IntentCategory;
  object: string;
  confidence: number;
  /** When the confidence was resolved. */
  updated_at: string;
  evidence: Omit<Claim, 'consentPurpose'>[];
}

/**
 * The events of an intent `i` of a gate `g` as claims, newest first. Each passes the gate too. An intent that
 * a version before stored has the claims themselves.
 */
const EVIDENCE = `coalesce(nullif(i.evidence, '[]'), (
  SELECT jsonb_agg(jsonb_build_object('id', e.event_id, 'customerId', i.customer_id,
           'attribute', 'event.' || e.event_type, 'value', i.object, 'source', e.payload -> 'source',
           'observedAt', ${isoTime('e.occurred_at')}, 'confidence', e.payload -> 'confidence', 'provenance',
           jsonb_build_object('sourcePartner', g.app_name, 'collectedAt', ${isoTime('e.occurred_at')}))
         ORDER BY shown.place)
    FROM unnest(i.events) WITH ORDINALITY AS shown (sequence, place)
   CROSS JOIN LATERAL (
     SELECT * FROM events WHERE app_id = $1 AND customer_id = i.customer_id AND sequence = shown.sequence
        AND purpose = i.purpose AND object = i.object OFFSET 0) e
   WHERE ${openSql('e')}), '[]') AS evidence`;

/** Gate and data in one snapshot, as in `loadProfiles`. */
const GATE = `SELECT h.customer_id, a.name AS app_name, ${gateColumns('$3::integer')}
             FROM ${GATE_TABLES}
            WHERE h.app_id = $1 AND h.customer_id = $2`;

const ALL_OF_CUSTOMER = {
  name: 'intents',
  text: `SELECT FROM (${GATE}) g JOIN intents i ON i.app_id = $1 AND i.customer_id = g.customer_id
    AND ${openSql('i')}
          WHERE $4::text IS NULL OR i.category = $4`,
};

const OF_CUSTOMER = {
  name: 'intents_of_customer',
  text: `WITH gate AS MATERIALIZED (${GATE})
         SELECT g.open_mask, g.allowed_mask, i.intent_id, i.purpose, i.category, i.object, i.confidence,
                i.updated_at, ${EVIDENCE}
           FROM gate g LEFT JOIN LATERAL (
             SELECT i.* FROM intents i
              WHERE i.app_id = $1 AND i.customer_id = $2 AND ${openSql('i')}
                AND ($4::text IS NULL OR i.intent_id < $4) AND ($6::text IS NULL OR i.category = $6)
              ORDER BY i.intent_id DESC LIMIT $5) i ON true
          ORDER BY i.intent_id DESC`,
};

export interface IntentFilter {
  purpose?: Purpose | undefined;
  category?: IntentCategory | undefined;
}

/** A customer's intents, newest first; undefined when there is no such customer. */
export async function listIntents(
  { services, appId }: ReadScope,
  customerId: string,
  { purpose, category }: IntentFilter,
  request: PageRequest,
): Promise<Gated<Connection<Intent>> | undefined> {
  const scope = { appId, list: 'intents', filter: `${customerId}/${purpose ?? ''}/${category ?? ''}` };
  const page = new PageWindow(services.secrets, scope, request);
  const asked = askedMask(purpose);
  const values = [appId, customerId, asked, page.after, page.limit, category ?? null];
  const rows = await services.database.readAs<IntentRow>(appId, OF_CUSTOMER, values);
  const [first] = rows;
  if (first === undefined) return undefined;
  const intents = rows.flatMap((row) =>
    row.intent_id === null ? [] : [toIntent(services, row, row.intent_id)],
  );
  const count = countUpTo({ services, appId }, ALL_OF_CUSTOMER, [appId, customerId, asked, category ?? null]);
  const read = (node: Intent) => ({ position: node.id, node });
  return passGate(purpose, first, () => page.toPage(intents, read, count));
}

function toIntent({ intents, clock }: RequestServices, row: IntentRow, id: string): Intent {
  const consentPurpose = purposeAt(row.purpose);
  const halfLifeDays = intents.halfLifeDays[row.category];
  return {
    id,
    category: row.category,
    object: row.object,
    confidence: agedConfidence(row.confidence, halfLifeDays, new Date(row.updated_at), clock()),
    consentPurpose,
    evidence: row.evidence.map((claim) => ({ ...claim, consentPurpose })),
  };
}
