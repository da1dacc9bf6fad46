import { expect } from 'chai';
import { createEntry } from '../../src/commands/createEntry.js';
import { putOntology } from '../../src/commands/putOntology.js';
import { rebuildOntology } from '../../src/commands/rebuildOntology.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { runWorkflow } from '../../src/jobs/runWorkflow.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

const ONTOLOGY = 'tagged';
const TAGS = { name: 'tags', type: 'string_array' as const };
const SIZE = { name: 'size', type: 'integer' as const };

describe('The filter index of an entry', () => {
  let database: TestDatabase;
  let fixture: IngestFixture;

  before(async () => {
    database = await createTestDatabase();
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.addApp();
    await define('1', [TAGS]);
  });
  after(async () => {
    await fixture.close();
    await database.drop();
  });

  async function define(version: string, fields: (typeof TAGS | typeof SIZE)[]): Promise<void> {
    const definition = { name: 'Tagged', version, fields };
    await fixture.services.database.transaction('admin', (tx) =>
      putOntology(tx, { now: new Date() }, ONTOLOGY, definition),
    );
  }

  async function write(entryId: string, given: { fields?: JsonObject; entryName?: string }): Promise<void> {
    await fixture.command((tx, context) =>
      createEntry(tx, context, { ontology: ONTOLOGY, entryId, ...given }),
    );
  }

  /** By value, the transaction that wrote its row. */
  async function rowsOf(entryId: string): Promise<Record<string, string>> {
    const rows = await fixture.rows<{ name: string; written: string }>(
      `SELECT concat_ws(' ', generation, slot, value_key) AS name, xmin::text AS written FROM entry_filters
        WHERE app_id = $1 AND entry_id = $2 ORDER BY name`,
      [entryId],
    );
    return Object.fromEntries(rows.map(({ name, written }) => [name, written]));
  }

  it('is not written when no field changes', async () => {
    await write('renamed', { fields: { tags: ['a', 'b'] } });
    const before = await rowsOf('renamed');
    expect(Object.keys(before)).to.have.lengthOf(3);
    await write('renamed', { entryName: 'Other', fields: { tags: ['a', 'b'] } });
    expect(await rowsOf('renamed')).to.deep.equal(before);
  });

  it('loses and gets the values that differ, and keeps the rows of all others', async () => {
    await write('changed', { fields: { tags: ['a', 'b'] } });
    const before = await rowsOf('changed');
    await write('changed', { fields: { tags: ['b', 'c'] } });
    const after = await rowsOf('changed');
    expect(Object.keys(after)).to.deep.equal(['1 f1 "b"', '1 f1 "c"', '1 f1 ["b","c"]']);
    expect(after['1 f1 "b"']).to.equal(before['1 f1 "b"']);
    await define('2', [TAGS, SIZE]);
    await write('changed', { fields: { tags: ['b', 'c'], size: 3 } });
    expect(await rowsOf('changed'))
      .to.include(after)
      .and.have.property('1 f2 3');
    await write('changed', { fields: {} });
    expect(await rowsOf('changed')).to.deep.equal({});
  });

  it('is right in both generations, whatever changes while a rebuild runs', async () => {
    await write('beside', { fields: { tags: ['a', 'b'] } });
    const { workflowId } = await fixture.command((tx, context) => rebuildOntology(tx, context, ONTOLOGY));
    const step = (): Promise<unknown> => runWorkflow(fixture.services, fixture.appId, workflowId);
    expect(await step()).to.equal('more');
    await write('beside', { fields: { tags: ['b', 'c'] } });
    const names = (generation: number, ...keys: string[]): string[] =>
      keys.map((key) => `${generation} f1 ${key}`);
    // What it had before is for the rebuild to write.
    expect(Object.keys(await rowsOf('beside'))).to.have.members([
      ...names(1, '"b"', '"c"', '["b","c"]'),
      ...names(2, '"c"', '["b","c"]'),
    ]);
    expect(await step()).to.equal('more');
    await write('beside', { fields: { tags: ['c', 'd'] } });
    const last = ['"c"', '"d"', '["c","d"]'];
    expect(Object.keys(await rowsOf('beside'))).to.have.members([...names(1, ...last), ...names(2, ...last)]);
    while ((await step()) === 'more') {
      // One bounded step after the other.
    }
    expect(Object.keys(await rowsOf('beside'))).to.have.members(names(2, ...last));
  });
});
