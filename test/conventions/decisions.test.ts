import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'docs/decisions';

const CODE = ['src', 'schema', 'resolvers', 'entities', 'rest-bridge', 'bin', 'bench', 'test'];

/** What the text decides: from its word to the next. */
function decisionOf(text: string): string {
  return /^\*\*Decision\b.*?(?=^\*\*|(?![^]))/ms.exec(text)?.[0] ?? '';
}

/** Names of classes and functions, as `MessageGroup` and `sendGroup`. */
function namesIn(decision: string): string[] {
  return [...decision.matchAll(/`([A-Za-z]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => /[a-z]/.test(name) && /[A-Z]/.test(name));
}

/** Names of a decision that the code no longer has, unless the text tells that they are gone. */
function goneNames(text: string, isInCode: (name: string) => boolean): string[] {
  const decision = decisionOf(text);
  if (/\bgone\b/i.test(decision) || /^\*\*(?:Revised|Superseded)\b/m.test(text)) return [];
  return namesIn(decision).filter((name) => !isInCode(name));
}

describe('Architecture decision records', () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d/.test(name));

  it('are numbered once each, from 1 on, in name and title', () => {
    const titles = files.map((name) => /^# (\d+)\. /.exec(readFileSync(`${FOLDER}/${name}`, 'utf8'))?.[1]);
    const expected = files.map((_name, index) => index + 1);
    expect(files.map((name) => Number(name.slice(0, 4)))).to.deep.equal(expected);
    expect(titles.map(Number)).to.deep.equal(expected);
  });

  it('say that they are revised where they decide on a name that the code no longer has', () => {
    const code = execFileSync('grep', ['-rhoE', '[A-Za-z_$][A-Za-z0-9_$]*', ...CODE], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const words = new Set(code.split('\n'));
    const found = files.flatMap((file) =>
      goneNames(readFileSync(`${FOLDER}/${file}`, 'utf8'), (name) => words.has(name)).map(
        (name) => `${file}: ${name}`,
      ),
    );
    expect(found).to.deep.equal([]);
  });

  it('are found when nothing tells that a name is gone', () => {
    const text = '**Decision.** `OldQuery` sends two\nin `newGroup`.\n\n**Price.** `Other`.\n';
    const isInCode = (name: string): boolean => name === 'newGroup';
    expect(goneNames(text, isInCode)).to.deep.equal(['OldQuery']);
    expect(goneNames(`${text}\n**Revised.** Another sends them.\n`, isInCode)).to.deep.equal([]);
  });
});
