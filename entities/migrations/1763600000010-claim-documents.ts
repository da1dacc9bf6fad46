import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** As they were when this migration was written. */
const PURPOSES = [
  'ACCOUNT_LINKING',
  'PERSONALIZATION',
  'ANALYTICS',
  'SUPPORT',
  'EVENT_ENRICHMENT',
  'PROFILE_RESOLUTION',
  'MEASUREMENT',
];

const BATCH = 500;

interface StoredClaim {
  app_id: string;
  customer_id: string;
  sequence: number;
  claim_id: string;
  purpose: number;
  attribute: string;
  value: unknown;
  source: string;
  observed_at: Date;
  context: string | null;
  confidence: number;
  provenance: Record<string, unknown>;
}

/**
 * Claims are kept as text too, as GraphQL gives them out: a list of them is read without taking each apart.
 */
export class ClaimDocuments1763600000010 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claims ADD COLUMN document text');
    // The owner is bound by the policies too; without an app it would see nothing.
    await runner.query('ALTER TABLE claims NO FORCE ROW LEVEL SECURITY');
    let rows = await page(runner, undefined);
    while (rows.length > 0) {
      await writeDocuments(runner, rows);
      rows = await page(runner, rows.at(-1));
    }
    await runner.query('ALTER TABLE claims FORCE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE claims ALTER COLUMN document SET NOT NULL');
  }
}

async function page(runner: QueryRunner, after: StoredClaim | undefined): Promise<StoredClaim[]> {
  const from = [after?.app_id ?? '', after?.customer_id ?? '', after?.sequence ?? 0];
  return (await runner.query(
    `SELECT * FROM claims WHERE (app_id, customer_id, sequence) > ($1, $2, $3) ORDER BY app_id, customer_id, sequence LIMIT ${BATCH}`,
    from,
  )) as StoredClaim[];
}

async function writeDocuments(runner: QueryRunner, rows: readonly StoredClaim[]): Promise<void> {
  await runner.query(
    `UPDATE claims c SET document = k.document
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS k (app_id, customer_id, sequence, document)
      WHERE c.app_id = k.app_id AND c.customer_id = k.customer_id AND c.sequence = k.sequence`,
    [
      rows.map((row) => row.app_id),
      rows.map((row) => row.customer_id),
      rows.map((row) => row.sequence),
      rows.map((row) => documentOf(row)),
    ],
  );
}

/** The claim as GraphQL gave it out when this migration was written. */
function documentOf(row: StoredClaim): string {
  const { sourcePartner, collectedAt, sourceSystem, evidenceUrl } = row.provenance;
  return JSON.stringify({
    id: row.claim_id,
    customerId: row.customer_id,
    attribute: row.attribute,
    value: row.value,
    source: row.source,
    observedAt: row.observed_at.toISOString(),
    context: row.context,
    consentPurpose: PURPOSES[row.purpose],
    confidence: row.confidence,
    provenance: {
      sourcePartner: sourcePartner ?? null,
      collectedAt: collectedAt ?? null,
      sourceSystem: sourceSystem ?? null,
      evidenceUrl: evidenceUrl ?? null,
    },
  });
}
