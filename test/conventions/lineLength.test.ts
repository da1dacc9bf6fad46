import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const MAX_COLUMNS = 110;

/** So many may be left: changes that meet on main do not stop each other. */
const MAX_STRAY = 10;

/** Prettier wraps code, but neither comments nor titles of tests nor prose. */
const UNWRAPPED = /^\s*(\/\/|\/\*|\*|(it|describe)\()/;

/** A table's row, a picture or a link cannot be broken; an indented line or one of a fence is code. */
const UNBREAKABLE = /^(\||!\[| {4}|\s*[-*]? ?\[[^\]]*\]\([^)]*\)|.*\S{60})/;

const GENERATED = ['docs/changes.md', 'docs/errors.md', 'docs/performance.md', 'schema/access.md'];

/** Names say `MAX_` and `MIN_`. */
const ODD_NAME = /\b(MOST|LEAST|LONGEST|SHORTEST|ENOUGH|LARGEST|SMALLEST|FEWEST)_[A-Z]/;

const GENERATED_CODE = /\/gql\/|schema\.d\.ts$/;

function filesOf(...endings: string[]): string[] {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  return files.filter(
    (file) =>
      endings.some((ending) => file.endsWith(ending)) && !GENERATED_CODE.test(file) && existsSync(file),
  );
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

function isTooLong(line: string): boolean {
  return [...line].length > MAX_COLUMNS;
}

/** Lines of prose: outside front matter and fences. */
function proseOf(file: string): string[] {
  let isCode = false;
  return linesOf(file).filter((line, index) => {
    const isBorder = line.trimStart().startsWith('```') || (line === '---' && (index === 0 || isCode));
    if (isBorder) isCode = !isCode;
    return !isCode && !isBorder && !UNBREAKABLE.test(line);
  });
}

describe('lines of at most 110 columns', () => {
  it('contain every comment and title of a test', () => {
    const long = filesOf('.ts', '.tsx', '.mjs', '.cjs').flatMap((file) =>
      linesOf(file)
        .filter((line) => UNWRAPPED.test(line) && !/\S{80}/.test(line) && isTooLong(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(long, long.join('\n')).to.have.length.at.most(MAX_STRAY);
  });

  it('contain the prose of every document that is not generated', () => {
    const long = filesOf('.md')
      .filter((file) => !GENERATED.includes(file))
      .flatMap((file) =>
        proseOf(file)
          .filter(isTooLong)
          .map((line) => `${file}: ${line}`),
      );
    expect(long, long.join('\n')).to.have.length.at.most(MAX_STRAY);
  });
});

describe('names of bounds', () => {
  it('say MAX and MIN', () => {
    const odd = filesOf('.ts', '.tsx', '.mjs', '.cjs').filter((file) =>
      linesOf(file).some((line) => ODD_NAME.test(line)),
    );
    expect(odd).to.deep.equal([]);
  });
});
