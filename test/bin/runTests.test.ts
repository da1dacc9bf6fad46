import { expect } from 'chai';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ScratchProject } from '../support/ScratchProject.js';

const PASSING = `it('passes', () => undefined);`;
const SKIPPED = `it.skip('is left out', () => undefined);`;
const EXPLAINED = `const suite = describe.skip('left out', () => it('waits', () => undefined)); suite.skippedFor = 'no moon';`;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe('npm test', () => {
  let project: ScratchProject;

  beforeEach(() => {
    project = new ScratchProject('export {};');
    symlinkSync(resolve('node_modules/mocha'), join(project.root, 'node_modules/mocha'));
    project.write('.mocharc.json', JSON.stringify({ reporter: 'bin/totalsReporter.mjs', exit: true }));
    project.compile('src', 'test');
  });
  afterEach(() => project.remove());

  async function run(
    args: string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number | null; output: string }> {
    const running = project.run('node', ['bin/launch.cjs', 'test', ...args], { CI: '', ...env });
    return { code: await running.end(), output: running.output };
  }

  function addFile(name: string, content: string): void {
    project.write(`test/${name}.test.ts`, `// @ts-nocheck\n${content}\nexport {};\n`);
  }

  function addFiles(content: (name: string) => string): void {
    for (const name of NAMES) addFile(name, content(name));
  }

  it('fails in CI when a test is skipped without a reason', async () => {
    addFile('one', PASSING + SKIPPED);
    const inCi = await run([], { CI: 'true' });
    expect(inCi.output).to.contain('skipped without a reason: is left out');
    expect(inCi.output.trim().split('\n').at(-1)).to.equal('1 passed, 1 failed');
    expect(inCi.code).to.equal(1);
    expect((await run([])).code).to.equal(0);
  });

  it('reports why tests were skipped, and passes', async () => {
    addFile('one', PASSING + EXPLAINED);
    const { code, output } = await run([], { CI: 'true' });
    expect(output).to.contain('skipped 1: no moon');
    expect(output.trim().split('\n').at(-1)).to.equal('1 passed, 0 failed, 1 skipped');
    expect(code).to.equal(0);
  });

  it('runs the files in the random order of a seed, each once', async () => {
    addFiles((name) => `it('ran ${name}', () => undefined);`);
    const order = async (...args: string[]): Promise<string> =>
      [...(await run(args)).output.matchAll(/✔ ran (\w)/g)].map(([, name]) => name).join('');
    const first = await order('--random=7');
    expect([...first].toSorted().join('')).to.equal(NAMES.join(''));
    expect(await order('--random=7', 'test/')).to.equal(first);
    expect(await order('--random=8')).not.to.equal(first);
    expect(await order()).to.equal(NAMES.join(''));
  });

  it('runs the files in several processes, each once, and adds up their totals', async () => {
    addFiles((name) => `it('ran ${name} in ' + process.pid, () => undefined);`);
    addFile('one', `it.skip('is left out', () => undefined); it('fails', () => { throw 1; });`);
    const { code, output } = await run(['--lanes=3']);
    const ran = [...output.matchAll(/✔ ran (\w) in (\d+)/g)];
    expect(ran.map(([, name]) => name)).to.have.members(NAMES);
    expect(new Set(ran.map(([, , pid]) => pid)).size).to.equal(3);
    expect(output.trim().split('\n').at(-1)).to.equal('8 passed, 1 failed, 1 skipped');
    expect(code).to.equal(1);
    const inCi = await run(['test/a.test.ts', 'test/b.test.ts'], { CI: 'true' });
    expect(new Set(inCi.output.match(/(?<=ran \w in )\d+/g)).size).to.equal(2);
  });

  it('counts a process that ends without its totals as a failure', async () => {
    addFiles(() => PASSING);
    addFile('one', `it('ends', () => process.exit(0));`);
    const { code, output } = await run(['--lanes=2']);
    expect(output.trim().split('\n').at(-1)).to.match(/^[45] passed, 1 failed$/);
    expect(code).to.equal(1);
  });

  it('runs again until a run fails', async () => {
    const count = `const { appendFileSync, readFileSync } = await import('node:fs'); appendFileSync('runs', '+');`;
    addFile('one', `${count} it('fails', () => { if (readFileSync('runs').length === 3) throw 1; });`);
    const { code, output } = await run(['--random', '--times=5']);
    expect(output.match(/The order of the files is that of --random=\d+/g)).to.have.lengthOf(3);
    expect(code).to.equal(1);
  });
});
