import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

/** A busy machine is ten times slower than an idle one, so a shorter timeout would fail without a fault. */
describe('Tests', () => {
  it('have no timeout shorter than the default', () => {
    const { timeout } = JSON.parse(readFileSync('.mocharc.json', 'utf8')) as { timeout: number };
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' });
    const short = files
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => {
        const text = readFileSync(join('test', file), 'utf8');
        const given = [...text.matchAll(/(?:this|\))\.timeout\(([^()]+)\)/g)].map(([, value = '']) => value);
        return given.filter((value) => shortest(value) < timeout).map((value) => `${file}: ${value}`);
      });
    expect(short).to.deep.equal([]);
  });
});

/** The number N of `N`, `N + …` and `IN_PROOFS ? M : N`; 0 for any other expression. */
function shortest(timeout: string): number {
  const [, value = '0'] = /^(?:IN_PROOFS \? [\d_]+ : )?([\d_]+)(?: \+ .*)?$/.exec(timeout) ?? [];
  return Number(value.replaceAll('_', ''));
}
