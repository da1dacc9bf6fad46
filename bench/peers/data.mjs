import pg from 'pg';

const { DATABASE_URL, APP_ID, TOKEN, APPS } = process.env;

/** The peers' way to the data: one prepared statement on a pool as large as the service's. */
export const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 12 });
export const appId = APP_ID;

export const TIME = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Consent and data in one statement, as the service reads them; `rest_document` or `document`. */
export const profileStatement = (column) => ({
  name: `profile_${column}`,
  text: `WITH gate AS MATERIALIZED (
           SELECT h.customer_id, h.epochs, h.changed_at, h.granted_mask & a.allowed_mask AS open_mask
             FROM customer_heads h JOIN apps a ON a.app_id = h.app_id WHERE h.app_id = $1 AND h.customer_id = $2)
         SELECT f.documents, ${TIME('coalesce(f.resolved_at, g.changed_at)')} AS resolved_at
           FROM gate g LEFT JOIN LATERAL (
             SELECT '[' || string_agg(f.${column}, ',' ORDER BY f.attribute, f.purpose) || ']' AS documents, max(f.resolved_at) AS resolved_at
               FROM facts f WHERE f.app_id = $1 AND f.customer_id = g.customer_id AND (g.open_mask >> f.purpose) & 1 = 1
                AND f.epoch = g.epochs[f.purpose + 1]) f ON true`,
});

/** The same without asking for consent: what the gate costs. */
export const ungatedStatement = {
  name: 'profile_ungated',
  text: `SELECT '[' || string_agg(f.rest_document, ',' ORDER BY f.attribute, f.purpose) || ']' AS documents, ${TIME('max(f.resolved_at)')} AS resolved_at
           FROM facts f WHERE f.app_id = $1 AND f.customer_id = $2`,
};

export const customerStatement = {
  name: 'customer',
  text: `SELECT customer_id, app_id, external_id, status, profile, metadata, ${TIME('created_at')} AS created_at, ${TIME('updated_at')} AS updated_at
           FROM customers WHERE app_id = $1 AND customer_id = $2`,
};

export const claimsStatement = {
  name: 'claims',
  text: `WITH gate AS MATERIALIZED (
           SELECT h.customer_id, h.epochs, h.granted_mask & a.allowed_mask AS open_mask
             FROM customer_heads h JOIN apps a ON a.app_id = h.app_id WHERE h.app_id = $1 AND h.customer_id = $2)
         SELECT c.* FROM gate g JOIN LATERAL (
           SELECT c.sequence, c.claim_id, c.purpose, c.attribute, c.value, c.source, ${TIME('c.observed_at')} AS observed_at, c.context, c.confidence, c.provenance
             FROM claims c WHERE c.app_id = $1 AND c.customer_id = $2 AND (g.open_mask >> c.purpose) & 1 = 1 AND c.epoch = g.epochs[c.purpose + 1]
            ORDER BY c.sequence DESC LIMIT 26) c ON true`,
};

export async function rows(statement, id, app = appId) {
  const result = await pool.query({ ...statement, values: [app, id] });
  return result.rows;
}

/** The profile as objects in the GraphQL spelling. */
export async function loadProfile(id) {
  const [row] = await rows(profileStatement('document'), id);
  return { customerId: id, facts: JSON.parse(row.documents ?? '[]'), resolvedAt: row.resolved_at };
}

export async function customerBody(id) {
  const [row] = await rows(customerStatement, id);
  const { bioMarkdown, publicLocation, username } = row.profile;
  return {
    id: row.customer_id,
    app_id: row.app_id,
    external_id: row.external_id,
    status: row.status,
    profile: { username, bio_markdown: bioMarkdown, public_location: publicLocation },
    metadata: row.metadata,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export const PURPOSES = [
  'account_linking',
  'personalization',
  'analytics',
  'support',
  'event_enrichment',
  'profile_resolution',
  'measurement',
];

export async function claimsBody(id) {
  const found = await rows(claimsStatement, id);
  const data = found.slice(0, 25).map((row) => ({
    id: row.claim_id,
    customer_id: id,
    attribute: row.attribute,
    value: row.value,
    source: row.source,
    observed_at: row.observed_at,
    context: row.context,
    consent_purpose: PURPOSES[row.purpose],
    confidence: row.confidence,
    provenance: {
      source_partner: row.provenance.sourcePartner,
      collected_at: row.provenance.collectedAt,
      source_system: row.provenance.sourceSystem,
      evidence_url: row.provenance.evidenceUrl,
    },
  }));
  return {
    data,
    pagination: {
      has_more: found.length > 25,
      next_cursor: Buffer.from(String(found[24]?.sequence)).toString('base64'),
    },
  };
}

export const isAllowed = (header) => header === `Bearer ${TOKEN}`;

const known = new Map([[TOKEN, APP_ID], ...JSON.parse(APPS ?? '[]')]);

/** The app whose token a request carries; undefined for a token that is none. */
export const appOf = (header) => known.get(header?.slice('Bearer '.length));

/** Tells the harness where the server listens, and on demand what it has used. */
export function serve(port) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuMs: (user + system) / 1000, memoryMb: process.memoryUsage().rss / 2 ** 20 });
  });
  process.once('SIGTERM', () => process.exit(0));
  process.send({ port });
}
