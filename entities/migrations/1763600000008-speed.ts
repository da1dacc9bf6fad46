import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

const BATCH = 500;

interface FactRow {
  app_id: string;
  customer_id: string;
  purpose: number;
  attribute: string;
  document: string;
}

/**
 * Facts are kept as text in the spelling of each door: `document` as GraphQL gives them out, `rest_document`
 * as REST does.
 */
export class Speed1763600000008 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE facts ADD COLUMN rest_document text');
    // The owner is bound by the policies too; without an app it would see nothing.
    await runner.query('ALTER TABLE facts NO FORCE ROW LEVEL SECURITY');
    while ((await respellBatch(runner)) === BATCH);
    await runner.query('ALTER TABLE facts FORCE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE facts ALTER COLUMN rest_document SET NOT NULL');
  }
}

async function respellBatch(runner: QueryRunner): Promise<number> {
  const rows = (await runner.query(
    `SELECT app_id, customer_id, purpose, attribute, document FROM facts WHERE rest_document IS NULL LIMIT ${BATCH}`,
  )) as FactRow[];
  for (const { app_id, customer_id, purpose, attribute, document } of rows) {
    const fact = JSON.parse(document) as Members;
    await runner.query(
      `UPDATE facts SET document = $5, rest_document = $6 WHERE app_id = $1 AND customer_id = $2 AND purpose = $3 AND attribute = $4`,
      [
        app_id,
        customer_id,
        purpose,
        attribute,
        JSON.stringify(forGraphql(fact)),
        JSON.stringify(forRest(fact)),
      ],
    );
  }
  return rows.length;
}

type Members = Record<string, unknown>;

// Facts as they were when this migration was written. Members of a `value` are the partner's, and stay as
// they are.
const PROVENANCE = ['sourcePartner', 'collectedAt', 'sourceSystem', 'evidenceUrl'];
const CLAIM = [
  'id',
  'customerId',
  'attribute',
  'value',
  'source',
  'observedAt',
  'context',
  'consentPurpose',
  'confidence',
];
const FACT = ['attribute', 'resolvedValue', 'confidence', 'resolutionMethod', 'consentPurpose'];
const ALTERNATIVE = ['value', 'confidence', 'reason'];

type Pick = (value: Members, members: readonly string[]) => Members;

function spell(fact: Members, pick: Pick): Members {
  const claims = (fact['evidence'] as Members[]).map((claim) => ({
    ...pick(claim, CLAIM),
    provenance: pick(claim['provenance'] as Members, PROVENANCE),
  }));
  const alternatives = (fact['alternatives'] as Members[]).map((alternative) =>
    pick(alternative, ALTERNATIVE),
  );
  return { ...pick(fact, FACT), evidence: claims, alternatives };
}

function forGraphql(fact: Members): Members {
  const pick: Pick = (value, members) =>
    Object.fromEntries(
      members.map((member) => [
        member,
        member === 'consentPurpose' ? String(value[member]).toUpperCase() : (value[member] ?? null),
      ]),
    );
  return spell(fact, pick);
}

function forRest(fact: Members): Members {
  const pick: Pick = (value, members) =>
    Object.fromEntries(
      members
        .filter((member) => value[member] !== null && value[member] !== undefined)
        .map((member) => [
          member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          member === 'consentPurpose' ? String(value[member]).toLowerCase() : value[member],
        ]),
    );
  return spell(fact, pick);
}
