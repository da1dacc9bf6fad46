import pg from 'pg';
import { PURPOSES } from '../../src/domain/purposes.js';

/**
 * The same facts once more in normalized tables, for the peers that map tables: entities, and a schema made
 * of tables.
 */
export async function normalizeFacts(ownerUrl: string, appId: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const statement of [...ENTITIES, ...relations(client.escapeLiteral(appId))])
      await client.query(statement);
  } finally {
    await client.end();
  }
}

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** What the entities of `typeorm.mjs` are mapped to. */
const ENTITIES = [
  'CREATE SCHEMA peers',
  `CREATE TABLE peers.facts AS
     SELECT customer_id || '/' || purpose || '/' || attribute AS id, customer_id, attribute,
            d -> 'resolved_value' AS resolved_value,
            (d ->> 'confidence')::double precision AS confidence,
            d ->> 'resolution_method' AS resolution_method,
            d ->> 'consent_purpose' AS consent_purpose,
            to_char(resolved_at AT TIME ZONE 'UTC', ${TIME}) AS resolved_at
       FROM facts, LATERAL (SELECT rest_document::jsonb AS d) parsed`,
  'ALTER TABLE peers.facts ADD PRIMARY KEY (id)',
  'CREATE INDEX ON peers.facts (customer_id)',
  `CREATE TABLE peers.evidence AS
     SELECT e ->> 'id' AS id, customer_id || '/' || purpose || '/' || f.attribute AS fact_id, position::int,
            customer_id, f.attribute,
            e -> 'value' AS value, e ->> 'source' AS source, e ->> 'observed_at' AS observed_at,
            e ->> 'context' AS context,
            e ->> 'consent_purpose' AS consent_purpose, (e ->> 'confidence')::double precision AS confidence,
            e -> 'provenance' AS provenance
       FROM facts f, jsonb_array_elements(rest_document::jsonb -> 'evidence') WITH ORDINALITY AS item (e,
         position)`,
  'ALTER TABLE peers.evidence ADD PRIMARY KEY (id)',
  'CREATE INDEX ON peers.evidence (fact_id)',
  `CREATE TABLE peers.alternatives AS
     SELECT customer_id || '/' || purpose || '/' || attribute || '/' || position AS id,
            customer_id || '/' || purpose || '/' || attribute AS fact_id,
            position::int, a -> 'value' AS value, (a ->> 'confidence')::double precision AS confidence,
            a ->> 'reason' AS reason
       FROM facts, jsonb_array_elements(rest_document::jsonb -> 'alternatives') WITH ORDINALITY AS item (a,
         position)`,
  'ALTER TABLE peers.alternatives ADD PRIMARY KEY (id)',
  'CREATE INDEX ON peers.alternatives (fact_id)',
  'ANALYZE peers.facts, peers.evidence, peers.alternatives',
];

/**
 * What `postgraphile.mjs` makes its schema of: tables and keys as one would design them for it, an
 * enumeration of PostgreSQL for the purpose, and the consent gate in the view of the facts, through which
 * alone it reaches evidence and alternatives.
 */
function relations(appId: string): string[] {
  return [
    'CREATE SCHEMA graph',
    `CREATE TYPE graph.consent_purpose AS ENUM (${PURPOSES.map((purpose) => `'${purpose.toUpperCase()}'`).join(', ')})`,
    `CREATE TABLE graph.profiles AS SELECT customer_id,
      to_char(max(resolved_at) AT TIME ZONE 'UTC', ${TIME}) AS resolved_at
       FROM facts GROUP BY customer_id`,
    'ALTER TABLE graph.profiles ADD PRIMARY KEY (customer_id)',
    `CREATE TABLE peers.related_facts AS
       SELECT p.id, f.purpose, f.epoch, p.customer_id, p.attribute, p.resolved_value, p.confidence,
              p.resolution_method,
              upper(p.consent_purpose)::graph.consent_purpose AS consent_purpose
         FROM peers.facts p JOIN facts f ON f.app_id = ${appId} AND f.customer_id = p.customer_id
           AND p.id = f.customer_id || '/' || f.purpose || '/' || f.attribute`,
    'ALTER TABLE peers.related_facts ADD PRIMARY KEY (id)',
    'CREATE INDEX ON peers.related_facts (customer_id)',
    `CREATE VIEW graph.facts AS
       SELECT f.id, f.customer_id, f.attribute, f.resolved_value, f.confidence, f.resolution_method,
              f.consent_purpose
         FROM peers.related_facts f JOIN customer_heads h ON h.app_id = ${appId}
           AND h.customer_id = f.customer_id JOIN apps a ON a.app_id = h.app_id
        WHERE ((h.granted_mask & a.allowed_mask) >> f.purpose) & 1 = 1 AND f.epoch = h.epochs[f.purpose + 1]`,
    `COMMENT ON VIEW graph.facts IS E'@primaryKey id\\n@foreignKey (customer_id) references graph.profiles (customer_id)|@foreignFieldName facts'`,
    `CREATE TABLE graph.evidence AS
       SELECT id, fact_id, position, customer_id, attribute, value, source, observed_at, context,
              upper(consent_purpose)::graph.consent_purpose AS consent_purpose,
              confidence, provenance ->> 'source_partner' AS source_partner,
              provenance ->> 'collected_at' AS collected_at,
              provenance ->> 'source_system' AS source_system, provenance ->> 'evidence_url' AS evidence_url
         FROM peers.evidence`,
    'ALTER TABLE graph.evidence ADD PRIMARY KEY (fact_id, position)',
    `COMMENT ON TABLE graph.evidence IS E'@foreignKey (fact_id) references graph.facts (id)|@foreignFieldName evidence'`,
    'CREATE TABLE graph.alternatives AS SELECT fact_id, position, value, confidence, reason FROM peers.alternatives',
    'ALTER TABLE graph.alternatives ADD PRIMARY KEY (fact_id, position)',
    `COMMENT ON TABLE graph.alternatives IS E'@foreignKey (fact_id) references graph.facts (id)|@foreignFieldName alternatives'`,
    'ANALYZE graph.profiles, peers.related_facts, graph.evidence, graph.alternatives',
  ];
}
