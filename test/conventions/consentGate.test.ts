import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const GATE = 'src/access/consentGate.ts';

/** Files that name columns of the gate without deciding by them, each with its reason. */
const ALLOWED: Record<string, string> = {
  'src/commands/closeAgain.ts': 'closes the epochs that a journal says ended',
  'src/commands/createConsentReceipts.ts': 'stores what a grant decided',
  'src/commands/revokeConsentReceipt.ts': 'stores what a revocation decided',
  'src/jobs/cascadeRevocation.ts': 'erases what closed epochs hold',
  'src/jobs/resolveFacts.ts': 'writes facts under the epoch of the head that it holds',
  'src/jobs/updateIntents.ts': 'writes intents under the epoch of the head that it holds',
  'src/database/citus/shardTriggers.ts': 'counts as the triggers of the migrations do',
  'src/commands/acceptItems.ts': 'stores the epoch of an accepted item',
  'src/commands/withdrawConnection.ts': 'withdraws whatever is granted, allowed to the app or not',
  'src/domain/consent.ts': 'makes the mask and the epochs that receipts and revocations store',
  'src/domain/appCeiling.ts': 'bounds what an app allows itself by what the operator granted to the app',
  'src/domain/purposes.ts': 'turns masks into purposes, and back',
};

/** Tests of a mask, of an epoch, or of what a customer granted, in SQL. */
const SQL =
  /\bgranted_mask\b|\ba\.allowed_mask\b|\bepochs\s*\[|\bepoch\s*([=<>!]|IS\b|IN\b)|\bUSING\s*\([^)]*\bepoch\b|\b\w+_mask\s*(&|>>)|&\s*\w+\.\w+_mask\b/i;

/** The same outside of statements: a mask is compared bit by bit, or an epoch is taken by its place. */
const CODE =
  /[mM]ask\s*(&(?!&)|>>)|&\s*(\w+\.)*\w*[mM]ask\b|\bepochs\s*(\?\.)?\[|purposesOf\(\w+\.granted_mask/;

function namesGate(source: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const literals: string[] = [];
  const rest = code.replace(/`[^`]*`|'[^'\n]*'|"[^"\n]*"/g, (literal) => {
    literals.push(literal.replace(/\$\{[^}]*\}/g, ''));
    return '';
  });
  return CODE.test(rest) || literals.some((literal) => SQL.test(literal));
}

describe('the consent gate', () => {
  const files = ['src', 'resolvers', 'rest-bridge', 'schema', 'entities', 'bin']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    // Migrations are history: what they made is compared with the entities.
    .filter((name) => /\.(ts|[cm]js)$/.test(name) && !name.startsWith('entities/migrations/'));

  it('is defined in one module', () => {
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
      'AND f.epoch >= $3',
      'AND f.epoch IS NOT DISTINCT FROM $3',
      'JOIN asked USING (customer_id, epoch)',
    ]) {
      expect(namesGate(`const SQL = \`SELECT 1 ${sql}\`;`), sql).to.equal(true);
      expect(namesGate(`const SQL = "SELECT '' ${sql}";`), sql).to.equal(true);
    }
    for (const code of [
      'if ((head.granted_mask & (1 << place)) !== 0) return facts;',
      'const open = (1 << place) & row.open_mask;',
      'return profile.openMask >> 3 === 1;',
      'const isCurrent = head.epochs[place] === fact.epoch;',
      'const names = purposesOf(head.granted_mask);',
    ])
      expect(namesGate(code), code).to.equal(true);
    expect(namesGate('const isBoth = hasMask && isOpen;')).to.equal(false);
    expect(namesGate('// h.granted_mask & 1\nconst SQL = `SELECT 1`;')).to.equal(false);
  });
});
