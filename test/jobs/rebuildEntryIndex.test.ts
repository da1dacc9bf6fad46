import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createEntry } from '../../src/commands/createEntry.js';
import { putOntology } from '../../src/commands/putOntology.js';
import { rebuildOntology } from '../../src/commands/rebuildOntology.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { runWorkflow } from '../../src/jobs/runWorkflow.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

const TAGS = 3000;
const COPIES = 7;

describe('Rebuilding a filter index', () => {
  let database: TestDatabase;
  let fixture: IngestFixture;

  before(async () => {
    database = await createTestDatabase();
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.addApp();
    await database.sql('CREATE TABLE written (xid bigint, rows integer)');
    await database.sql(
      `CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO written SELECT txid_current(), count(*) FROM added; RETURN NULL; END $$`,
    );
    await database.sql(
      `CREATE TRIGGER note_written AFTER INSERT ON entry_filters REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION note_written()`,
    );
  });
  after(async () => {
    await fixture.close();
    await database.drop();
  });

  /** An entry, and copies of it that no index has. */
  async function makeCopies(ontology: string, fields: JsonObject): Promise<void> {
    const defined = [
      { name: 'tags', type: 'string_array' as const },
      { name: 'text', type: 'string' as const },
    ];
    await fixture.services.database.transaction('admin', (tx) =>
      putOntology(tx, { now: new Date() }, ontology, { name: 'Tagged', version: '1', fields: defined }),
    );
    await fixture.command((tx, context) =>
      createEntry(tx, context, { ontology, entryId: `${ontology}-0`, fields }),
    );
    await database.sql(
      `INSERT INTO entries SELECT (jsonb_populate_record(e, jsonb_build_object('entry_id', $1 || n))).*
        FROM entries e, generate_series(1, $2) n WHERE e.entry_id = $3`,
      [`${ontology}-`, COPIES, `${ontology}-0`],
    );
    await database.sql('TRUNCATE written');
  }

  /** Returns the number of its steps. */
  async function rebuild(ontology: string): Promise<number> {
    const { workflowId } = await fixture.command((tx, context) => rebuildOntology(tx, context, ontology));
    let steps = 1;
    while ((await runWorkflow(fixture.services, fixture.appId, workflowId)) === 'more') steps += 1;
    const [workflow] = await fixture.rows(
      'SELECT status FROM workflows WHERE app_id = $1 AND workflow_id = $2',
      [workflowId],
    );
    expect(workflow).to.deep.equal({ status: 'completed' });
    return steps;
  }

  it('writes few rows in a transaction and in a statement, however many an entry has', async () => {
    await makeCopies('tagged', { tags: Array.from({ length: TAGS }, (_, index) => `t${index}`) });
    await rebuild('tagged');
    const { rows: most } = await database.sql(
      `SELECT max(own)::int AS transaction, max(largest) AS statement FROM (
         SELECT sum(rows) AS own, max(rows) AS largest FROM written GROUP BY xid) of_one`,
    );
    expect(most).to.deep.equal([{ transaction: 2 * (TAGS + 1), statement: 2000 }]);
    const found = await fixture.rows(
      `SELECT generation, count(*)::int AS n FROM entry_filters
        WHERE app_id = $1 AND ontology_id = 'tagged' GROUP BY 1`,
    );
    expect(found).to.deep.equal([{ generation: 2, n: (COPIES + 1) * (TAGS + 1) }]);
  });

  it('reads few large entries in a transaction', async () => {
    await makeCopies('long', { text: randomBytes(30_000).toString('hex') });
    const steps = await rebuild('long');
    // To begin, three of three, three and two entries, the one that finds no more, to switch, and to remove.
    expect(steps).to.equal(7);
  });
});
