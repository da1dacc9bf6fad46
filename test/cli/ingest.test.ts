import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { ingestClaims } from '../../src/commands/ingestClaims.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';
import { itInProofs } from '../support/itInProofs.js';
import { runProgram } from '../support/runProgram.js';
import type { Ended } from '../support/runProgram.js';

describe('Operator commands for ingestion', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let fixture: IngestFixture;
  let folder: string;

  before(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.prepare();
    folder = mkdtempSync(join(tmpdir(), 'consent-cli-'));
  });

  after(async () => {
    rmSync(folder, { recursive: true });
    await fixture.close();
    await owner.end();
    await database.drop();
  });

  const run = (program: string, ...args: string[]): Promise<Ended> =>
    runProgram(process.execPath, [`dist/src/cli/${program}.js`, ...args], {
      env: { DATABASE_URL: database.ownerUrl },
    });

  function file(content: unknown): string {
    const path = join(folder, 'ontologies.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  const book = {
    id: 'book',
    name: 'Book',
    version: '1',
    fields: [{ name: 'isbn', type: 'string', required: true }],
    identity_fields: ['isbn'],
  };

  it('import ontologies and report the result of each', async () => {
    const first = await run('importOntology', file([book, { ...book, id: 'film' }]));
    expect([first.code, first.stdout]).to.deep.equal([0, 'book: created\nfilm: created\n']);
    const second = await run('importOntology', file(book));
    expect([second.code, second.stdout]).to.deep.equal([0, 'book: unchanged\n']);
  });

  it('import all or none and name every problem', async () => {
    const fields = [{ name: '1', type: 'text' }];
    const shape = await run(
      'importOntology',
      file([
        { ...book, id: 'new' },
        { ...book, id: 'bad', fields },
      ]),
    );
    expect(shape.code).to.equal(1);
    expect(shape.stderr).to.include('[1].fields[0].name').and.include('[1].fields[0].type');
    const removed = { ...book, fields: [{ name: 'other', type: 'string' }], identity_fields: [] };
    const conflict = await run('importOntology', file([{ ...book, id: 'new' }, removed]));
    expect(conflict.code).to.equal(1);
    expect(conflict.stderr).to.include('the field isbn cannot be removed');
    const { rows } = await owner.query(`SELECT ontology_id FROM ontologies WHERE ontology_id = 'new'`);
    expect(rows).to.deep.equal([]);
    expect((await run('importOntology')).stderr).to.include('ontology:import FILE');
  });

  itInProofs('name the ontology of a file that is wrong', async () => {
    const wrong = await run('importOntology', file([book, { ...book, id: 'No' }]));
    expect(wrong.stderr).to.match(/^ {2}- \[1\]\.id must match /m);
    const removed = { ...book, fields: [{ name: 'other', type: 'string' }], identity_fields: [] };
    await run('importOntology', file(book));
    expect((await run('importOntology', file([{ ...book, id: 'new' }, removed]))).stderr).to.match(
      /^ {2}- \[1\]\.fields the field isbn cannot be removed/m,
    );
    const alone = await run('importOntology', file(removed));
    expect(alone.stderr).to.match(/^ {2}- fields the field isbn cannot be removed/m);
    for (const [content, problem] of [
      [5, '  -  must be an object'],
      [[book, 5], '  - [1] must be an object'],
    ] as const) {
      const { stderr } = await run('importOntology', file(content));
      expect(stderr.split('\n').filter((line) => line.startsWith('  - '))).to.deep.equal([problem]);
    }
  });

  it('import a file with a byte order mark, and say when a file has no ontology', async () => {
    const path = file([]);
    expect(await run('importOntology', path)).to.deep.equal({
      code: 0,
      stdout: `${path} has no ontology.\n`,
      stderr: '',
    });
    writeFileSync(path, `\uFEFF${JSON.stringify({ ...book, id: 'marked' })}`);
    expect((await run('importOntology', path)).stdout).to.equal('marked: created\n');
  });

  it('retry a failed workflow of claims, which are then applied', async () => {
    await owner.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON claims FOR EACH ROW EXECUTE FUNCTION refuse();`);
    fixture.now = new Date('2026-11-20T10:00:00.000Z');
    const { id } = await fixture.addCustomer('personalization');
    const observedAt = '2026-01-01T00:00:00.000Z';
    const claim = {
      customerId: id,
      consentPurpose: 'personalization' as const,
      attribute: 'city',
      value: 'Bremen',
      source: 's',
      observedAt,
      confidence: 1,
      provenance: { sourcePartner: 's', collectedAt: observedAt },
    };
    const sent = await fixture.command((tx, context) => ingestClaims(tx, context, { claims: [claim] }));
    const workflowId = sent.data[0]?.workflowId ?? '';
    for (const wait of [0, 500, 1000, 2000, 4000, 8000]) {
      fixture.now = new Date(fixture.now.getTime() + wait);
      await fixture.work();
    }
    expect((await workflow(workflowId))['status']).to.equal('failed');
    await owner.query('DROP TRIGGER refuse ON claims');

    const retried = await run('consent', 'workflows', 'retry', workflowId);
    expect([retried.code, retried.stdout]).to.deep.equal([
      0,
      `${workflowId} (profile_recompute) is accepted again; a worker will take it up.\n`,
    ]);
    fixture.now = undefined;
    await fixture.work();
    expect(await workflow(workflowId)).to.deep.equal({ status: 'completed', error: null });
    const [fact] = await fixture.rows('SELECT attribute FROM facts WHERE app_id = $1 AND customer_id = $2', [
      id,
    ]);
    expect(fact).to.deep.equal({ attribute: 'city' });
  });

  it('refuse to retry what has not failed or does not exist', async () => {
    const { receiptId } = await fixture.addCustomer('personalization');
    const workflowId = await fixture.revoke(receiptId);
    expect((await run('consent', 'workflows', 'retry', workflowId)).stderr).to.equal(
      'The workflow is accepted, not failed.\n',
    );
    expect((await run('consent', 'workflows', 'retry', 'wf_none')).stderr).to.equal(
      'There is no workflow wf_none.\n',
    );
    expect((await run('consent', 'workflows', 'retry')).code).to.equal(1);
  });

  async function workflow(id: string): Promise<Record<string, unknown>> {
    const [row] = await fixture.rows(
      'SELECT status, error FROM workflows WHERE app_id = $1 AND workflow_id = $2',
      [id],
    );
    return row ?? {};
  }
});
