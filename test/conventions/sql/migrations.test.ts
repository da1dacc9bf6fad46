import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { knownMigrations, recordedName, WITHDRAWN_MIGRATIONS } from '../../../src/database/schemaVersion.js';

const FOLDER = 'entities/migrations';

/** The newest migration when `npm run distribute` was made: it spreads what the ones up to it made. */
const SPREAD_UP_TO = 1_763_600_000_061;

/** What Citus refuses on tables that are spread already. */
const REFUSED: readonly [RegExp, string][] = [
  [/ADD COLUMN[^;`]*\bAS IDENTITY\b/i, 'adds an identity column to a table'],
  [
    /ALTER TABLE[^;`]*\b(ADD|DROP) CONSTRAINT\b[^;`]*,\s*(ADD|DROP) CONSTRAINT\b/i,
    'alters two constraints in one statement',
  ],
  [
    /ALTER TABLE[^;`]*\bADD COLUMN\b[^;`]*\bREFERENCES\b/i,
    'adds a column with its foreign key; add the key by itself',
  ],
];

function problemsOf(source: string): string[] {
  return REFUSED.filter(([pattern]) => pattern.test(source)).map(([, problem]) => problem);
}

/** The newest migration when `buildIndex` was made: those up to it have run, or run on small tables. */
const INDEXED_UP_TO = 1_763_600_000_063;

/** The tables that a migration makes. */
function tablesMadeIn(source: string): Set<string> {
  const made = source.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi);
  return new Set([...made].map(([, name = '']) => name));
}

/** What makes writers of a table with rows wait until an index is built. */
function blockingIndexes(source: string): string[] {
  const problems: string[] = [];
  const made = tablesMadeIn(source);
  for (const [, name, table = ''] of source.matchAll(
    /CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(\S+)\s+ON (?:ONLY )?"?(\w+)/gi,
  ))
    if (!made.has(table))
      problems.push(`builds ${name ?? ''} while nobody can write ${table}: use buildIndex`);
  for (const [, table = '', rest = ''] of source.matchAll(/ALTER TABLE (?:ONLY )?"?(\w+)([^;`]*)/gi))
    if (
      !made.has(table) &&
      /\bADD (CONSTRAINT \S+ )?(UNIQUE|PRIMARY KEY|EXCLUDE)\b(?! USING INDEX)/i.test(rest)
    )
      problems.push(`builds the index of a constraint of ${table}: use buildIndex, then ADD … USING INDEX`);
  if (!source.includes('buildIndex(')) return problems;
  if (!/readonly transaction = false;/.test(source)) problems.push('needs readonly transaction = false');
  if (/runner\.query\((?!`?'?DROP INDEX CONCURRENTLY)/.test(source))
    problems.push('does more than build indexes, outside a transaction: half of it may stay');
  return problems;
}

/** Those that do so all the same, and why. */
const EXAMINES_ROWS: Record<string, string> = {
  '1763600000008-speed.ts': 'writes every row of the table anyway',
  '1763600000010-claim-documents.ts': 'writes every row of the table anyway',
  '1763600000012-app-ceiling.ts': 'a service has few apps',
};

/** What examines every row of a table while nobody can write, or even read it. */
function blockingConstraints(source: string): string[] {
  const made = tablesMadeIn(source);
  const tableAt = (index: number): string =>
    [...source.slice(0, index).matchAll(/ALTER TABLE (?:ONLY )?"?(\w+)/g)].at(-1)?.[1] ?? 'a table';
  const problems: string[] = [];
  for (const { index, 0: change } of source.matchAll(
    /\bADD (?:CONSTRAINT|COLUMN|FOREIGN KEY|CHECK)\b(?:(?!\bADD\b|\bDROP\b)[^;`])*|\bSET NOT NULL\b/g,
  ))
    if (
      !made.has(tableAt(index)) &&
      /\bCHECK\b|\bREFERENCES\b|^SET/.test(change) &&
      !/\bNOT VALID\b/.test(change)
    )
      problems.push(`examines every row of ${tableAt(index)}: ADD … NOT VALID, and validate it in another`);
  if (
    /VALIDATE CONSTRAINT/.test(source) &&
    /runner\.query\((?!\s*[`']ALTER TABLE \w+ VALIDATE )/.test(source)
  )
    problems.push('does more than validate: the locks of that stay until every row is examined');
  return problems;
}

describe('migrations beside running gateways', () => {
  it('build no index that writers wait for', () => {
    const files = readdirSync(FOLDER).filter((file) => Number(file.split('-')[0]) > INDEXED_UP_TO);
    const found = files.flatMap((file) =>
      blockingIndexes(readFileSync(`${FOLDER}/${file}`, 'utf8')).map((problem) => `${file} ${problem}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('are refused if they do, and may index tables of their own', () => {
    const building = `readonly transaction = false; await buildIndex(runner, 'a_idx', 'ON claims (app_id)');`;
    for (const source of [
      'CREATE INDEX a_idx ON claims (app_id)',
      'CREATE UNIQUE INDEX a_idx\n ON claims (app_id)',
      'CREATE INDEX CONCURRENTLY a_idx ON claims (app_id)',
      'ALTER TABLE claims ADD CONSTRAINT a_key UNIQUE (app_id, claim_id)',
      building.replace('readonly transaction = false;', ''),
      `${building} await runner.query('ALTER TABLE claims ADD COLUMN a text');`,
    ])
      expect(blockingIndexes(source), source).to.have.length(1);
    for (const source of [
      'CREATE TABLE notes (app_id text)`, `CREATE INDEX notes_idx ON notes (app_id)',
      'CREATE TABLE notes (app_id text)`, `ALTER TABLE notes ADD PRIMARY KEY (app_id)',
      'ALTER TABLE claims ADD CONSTRAINT a_key UNIQUE USING INDEX a_idx',
      building,
      `${building} await runner.query('DROP INDEX CONCURRENTLY a_idx');`,
    ])
      expect(blockingIndexes(source), source).to.deep.equal([]);
  });
});

describe('migrations of tables with rows', () => {
  it('examine no rows under a lock against writers', () => {
    const found = readdirSync(FOLDER).flatMap((file) => {
      const problems = blockingConstraints(readFileSync(`${FOLDER}/${file}`, 'utf8'));
      return file in EXAMINES_ROWS && problems.length > 0
        ? [file]
        : problems.map((problem) => `${file} ${problem}`);
    });
    expect(found).to.have.members(Object.keys(EXAMINES_ROWS));
  });

  it('are refused if they do, and may constrain tables of their own', () => {
    for (const source of [
      'ALTER TABLE claims ADD CONSTRAINT a_fkey FOREIGN KEY (app_id)\n REFERENCES apps (app_id)',
      'ALTER TABLE claims ADD CONSTRAINT a_check CHECK (sequence > 0)',
      'ALTER TABLE claims ADD CHECK (sequence > 0)',
      `'ADD CONSTRAINT a_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id)'`,
      `ALTER TABLE claims ADD COLUMN a text CHECK (a <> '')`,
      'ALTER TABLE claims ADD CONSTRAINT a CHECK (b) NOT VALID, ADD CONSTRAINT c CHECK (d)',
      'ALTER TABLE claims ALTER COLUMN a SET NOT NULL',
      `await runner.query('ALTER TABLE claims VALIDATE CONSTRAINT a'); await runner.query('DROP INDEX b');`,
    ])
      expect(blockingConstraints(source), source).to.have.length(1);
    for (const source of [
      `ALTER TABLE claims ADD CONSTRAINT a_check CHECK (a <> '') NOT VALID`,
      'ALTER TABLE claims ADD COLUMN a smallint NOT NULL DEFAULT 1',
      'CREATE TABLE notes (app_id text)`, `ALTER TABLE notes ADD CONSTRAINT a CHECK (b)',
      `await runner.query('ALTER TABLE claims VALIDATE CONSTRAINT a');`,
    ])
      expect(blockingConstraints(source), source).to.deep.equal([]);
  });
});

describe('migrations that a database may have recorded', () => {
  it('are still there, under the same name, or listed as withdrawn', () => {
    const log = ['log', '--diff-filter=D', '--no-renames', '--name-only', '--format=', '--', FOLDER];
    const deleted = execFileSync('git', log, { encoding: 'utf8' }).split('\n').filter(Boolean);
    const names = deleted.map((file) => recordedName(file.slice(FOLDER.length + 1)));
    const known = new Set([...knownMigrations(), ...WITHDRAWN_MIGRATIONS]);
    expect(names.filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('are not withdrawn while they are there', () => {
    expect(WITHDRAWN_MIGRATIONS.filter((name) => knownMigrations().includes(name))).to.deep.equal([]);
  });
});

describe('migrations of a distributed database', () => {
  it('do nothing that Citus refuses', () => {
    const files = readdirSync(FOLDER).filter((file) => Number(file.split('-')[0]) > SPREAD_UP_TO);
    const found = files.flatMap((file) =>
      problemsOf(readFileSync(`${FOLDER}/${file}`, 'utf8')).map((problem) => `${file} ${problem}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('are refused however they are laid out', () => {
    for (const statement of [
      'ALTER TABLE outbox ADD COLUMN position bigint\n GENERATED ALWAYS AS IDENTITY',
      'ALTER TABLE facts DROP CONSTRAINT facts_pkey,\n ADD CONSTRAINT facts_pkey PRIMARY KEY (app_id)',
      'ALTER TABLE claims ADD COLUMN entry_id text REFERENCES entries (entry_id)',
    ])
      expect(problemsOf(statement), statement).to.have.length(1);
    expect(
      problemsOf('ALTER TABLE claims ADD COLUMN text_version smallint NOT NULL DEFAULT 1'),
    ).to.deep.equal([]);
  });
});
