import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

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
