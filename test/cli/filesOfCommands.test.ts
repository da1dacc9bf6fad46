import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../support/runProgram.js';
import type { Ended } from '../support/runProgram.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

describe('The files that an operator names to a command', () => {
  let database: TestDatabase;
  let fixture: IngestFixture;
  let folder: string;

  before(async () => {
    database = await createTestDatabase();
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.prepare();
    await fixture.addCustomer('personalization');
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'consent-files-')));
    writeFileSync(
      join(folder, 'ontologies.json'),
      JSON.stringify({
        id: 'book',
        name: 'Book',
        version: '1',
        fields: [{ name: 'isbn', type: 'string', required: true }],
        identity_fields: ['isbn'],
      }),
    );
  });

  after(async () => {
    rmSync(folder, { recursive: true });
    await fixture.close();
    await database.drop();
  });

  const run = (command: string, ...args: string[]): Promise<Ended> =>
    runProgram(command, args, {
      cwd: folder,
      env: { DATABASE_URL: database.ownerUrl, CHECKPOINT_KEY: 'k'.repeat(32) },
    });

  const linked = (...words: string[]): Promise<Ended> =>
    run(process.execPath, resolve('bin/consent.cjs'), ...words);

  it('are those of the folder where `consent` is called', async () => {
    const signed = await linked('consent', 'checkpoint', '--out', 'ledger.jsonl');
    expect(signed.stderr + signed.stdout).to.include(`1 signed to ${join(folder, 'ledger.jsonl')};`);
    expect(existsSync('ledger.jsonl'), 'below the checkout').to.equal(false);
    expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).to.include(fixture.appId);
    const verified = await linked('consent', 'verify', '--checkpoints', 'ledger.jsonl');
    expect(verified.stderr + verified.stdout).to.include('1 checkpoints checked.');
    const imported = await linked('ontology', 'import', 'ontologies.json');
    expect(imported.stderr + imported.stdout).to.include('book: created');
  });

  it('are those of the folder where npm is called', async () => {
    const imported = await run('npm', '--prefix', resolve('.'), 'run', 'ontology:import', 'ontologies.json');
    expect(imported.stderr + imported.stdout).to.match(/book: (?:created|unchanged)/);
  });

  it('are those of the current folder where a program is run as in the image', async () => {
    const program = resolve('dist/src/cli/consent.js');
    const imported = await run(process.execPath, program, 'ontology', 'import', './ontologies.json');
    expect(imported.stderr + imported.stdout).to.match(/book: (?:created|unchanged)/);
  });
});
