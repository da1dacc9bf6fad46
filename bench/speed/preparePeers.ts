import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Folder of the peers' own package, below the project's. */
export const PEERS = join(process.cwd(), 'bench', 'peers');

/** Installs the peers' packages when they are not there yet. */
export function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules'))) return;
  process.stdout.write('Installing the peers …\n');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: 'inherit' });
  if (status !== 0) throw new Error('The peers could not be installed.');
}

/** The same facts once more in normalized tables, for the peer that maps entities. */
export async function normalizeFacts(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const statement of NORMALIZED) await client.query(statement);
  } finally {
    await client.end();
  }
}

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const NORMALIZED = [
  'CREATE SCHEMA peers',
  `CREATE TABLE peers.facts AS
     SELECT customer_id || '/' || purpose || '/' || attribute AS id, customer_id, attribute, d -> 'resolved_value' AS resolved_value,
            (d ->> 'confidence')::double precision AS confidence, d ->> 'resolution_method' AS resolution_method,
            d ->> 'consent_purpose' AS consent_purpose, to_char(resolved_at AT TIME ZONE 'UTC', ${TIME}) AS resolved_at
       FROM facts, LATERAL (SELECT rest_document::jsonb AS d) parsed`,
  'ALTER TABLE peers.facts ADD PRIMARY KEY (id)',
  'CREATE INDEX ON peers.facts (customer_id)',
  `CREATE TABLE peers.evidence AS
     SELECT e ->> 'id' AS id, customer_id || '/' || purpose || '/' || f.attribute AS fact_id, position::int, customer_id, f.attribute,
            e -> 'value' AS value, e ->> 'source' AS source, e ->> 'observed_at' AS observed_at, e ->> 'context' AS context,
            e ->> 'consent_purpose' AS consent_purpose, (e ->> 'confidence')::double precision AS confidence, e -> 'provenance' AS provenance
       FROM facts f, jsonb_array_elements(rest_document::jsonb -> 'evidence') WITH ORDINALITY AS item (e, position)`,
  'ALTER TABLE peers.evidence ADD PRIMARY KEY (id)',
  'CREATE INDEX ON peers.evidence (fact_id)',
  `CREATE TABLE peers.alternatives AS
     SELECT customer_id || '/' || purpose || '/' || attribute || '/' || position AS id, customer_id || '/' || purpose || '/' || attribute AS fact_id,
            position::int, a -> 'value' AS value, (a ->> 'confidence')::double precision AS confidence, a ->> 'reason' AS reason
       FROM facts, jsonb_array_elements(rest_document::jsonb -> 'alternatives') WITH ORDINALITY AS item (a, position)`,
  'ALTER TABLE peers.alternatives ADD PRIMARY KEY (id)',
  'CREATE INDEX ON peers.alternatives (fact_id)',
  'ANALYZE peers.facts, peers.evidence, peers.alternatives',
];
