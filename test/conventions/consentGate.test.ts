import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const GATE = 'src/access/consentGate.ts';

/** Statements that name columns of the gate without being one, each with its reason. */
const ALLOWED: Record<string, string> = {
  'src/commands/createConsentReceipts.ts': 'stores what a grant decided',
  'src/commands/revokeConsentReceipt.ts': 'stores what a revocation decided',
  'src/jobs/cascadeRevocation.ts': 'erases what closed epochs hold',
  'src/jobs/resolveFacts.ts': 'writes facts under the epoch of the head that it holds',
  'src/jobs/updateIntents.ts': 'writes intents under the epoch of the head that it holds',
  'src/database/citus/shardTriggers.ts': 'counts as the triggers of the migrations do',
  'src/commands/acceptItems.ts': 'stores the epoch of an accepted item',
};

/** Tests of a mask, of an epoch, or of what a customer granted. */
const TESTS =
  /\bgranted_mask\b|\ba\.allowed_mask\b|\bepochs\s*\[|\bepoch\s*(=|<=)|\b\w+_mask\s*(&|>>)|&\s*\w+\.\w+_mask\b/;

/** The literals of a source that may be SQL, without their insertions. */
function literalsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([literal]) => literal.replace(/\$\{[^}]*\}/g, ''));
}

function namesGate(source: string): boolean {
  return literalsOf(source).some((literal) => TESTS.test(literal));
}

describe('the consent gate in SQL', () => {
  const files = ['src', 'resolvers', 'rest-bridge', 'schema'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );

  it('stands in one module', () => {
    const found = files.filter((file) => file !== GATE && namesGate(readFileSync(file, 'utf8')));
    expect(found.filter((file) => !(file in ALLOWED))).to.deep.equal([]);
    expect(
      Object.keys(ALLOWED).filter((file) => !found.includes(file)),
      'no longer needed',
    ).to.deep.equal([]);
  });

  it('is recognised however it is spelled', () => {
    for (const sql of [
      'WHERE (h.granted_mask & a.allowed_mask) >> f.purpose & 1 = 1',
      'AND f.epoch = h.epochs[f.purpose + 1]',
      'AND epoch <= $4',
      'AND h.allowed_mask & q.asked > 0',
    ])
      expect(namesGate(`const SQL = \`SELECT 1 ${sql}\`;`), sql).to.equal(true);
    expect(namesGate('// h.granted_mask & 1\nconst SQL = `SELECT 1`;')).to.equal(false);
  });
});
