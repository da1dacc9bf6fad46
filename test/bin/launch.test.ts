import { expect } from 'chai';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Running } from '../support/Running.js';
import { ScratchProject } from '../support/ScratchProject.js';

const SERVICE = `
  const alive = setInterval(() => undefined, 1000);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => setTimeout(() => { console.log('finished after ' + signal); clearInterval(alive); }, 100));
  }
  console.log('serving with ' + process.pid);
`;

/** Stands for npm: notes how it was called, and makes node_modules what the lock file says. */
const FAKE_NPM = `
  const fs = require('node:fs');
  fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
  if (process.env.NPM_FAILS) process.exit(7);
  fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('npm start and its launch script', () => {
  let project: ScratchProject;
  const started: Running[] = [];

  function run(command: string, args: string[], env?: NodeJS.ProcessEnv): Running {
    const running = project.run(command, args, env);
    started.push(running);
    return running;
  }

  function prepare(env: NodeJS.ProcessEnv): Running {
    return run('node', ['bin/launch.cjs', 'prepare'], {
      npm_execpath: join(project.root, 'npm-cli.js'),
      ...env,
    });
  }

  beforeEach(() => (project = new ScratchProject(SERVICE)));

  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill('SIGKILL');
    project.remove();
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`passes ${signal} from npm to the service and exits with 0 after its graceful end`, async () => {
      const npm = run('npm', ['start']);
      await npm.until('serving with ');
      const pid = Number(/serving with (\d+)/.exec(npm.output)?.[1]);
      expect(isAlive(pid)).to.equal(true);
      expect(await npm.end(signal)).to.equal(0);
      expect(npm.output).to.contain(`finished after ${signal}`);
      expect(isAlive(pid)).to.equal(false);
    });
  }

  it('gives Node its flags and glibc its settings, and exits with the code of a failed service', async () => {
    project.write(
      'src/main.ts',
      `console.log(process.execArgv.join(' '), process.env.MALLOC_TRIM_THRESHOLD_); process.exitCode = 3;`,
    );
    const npm = run('npm', ['start']);
    expect(await npm.end()).to.equal(3);
    expect(npm.output).to.contain('--max-semi-space-size=64').and.to.contain('67108864');
  });

  it('builds once and after changes, and removes the output of deleted sources', async () => {
    project.write('src/other.ts', 'export {};');
    const first = prepare({});
    expect(await first.end()).to.equal(0);
    expect(first.output).to.contain('Building');
    expect(existsSync(join(project.root, 'dist/src/other.js'))).to.equal(true);
    const second = prepare({});
    expect(await second.end()).to.equal(0);
    expect(second.output).to.equal('');
    rmSync(join(project.root, 'src/other.ts'));
    const third = prepare({});
    expect(await third.end()).to.equal(0);
    expect(third.output).to.contain('Building');
    expect(existsSync(join(project.root, 'dist/src/other.js'))).to.equal(false);
  });

  it('reports a failed build and builds again the next time', async () => {
    project.write('src/main.ts', 'export const wrong: number = "text";');
    for (let times = 0; times < 2; times += 1) {
      const failed = prepare({});
      expect(await failed.end()).not.to.equal(0);
      expect(failed.output).to.contain('main.ts').and.to.contain('The build failed');
    }
  });

  it('installs missing packages of the lock file, in production with the compiler', async () => {
    const packages = { '': {}, 'node_modules/new-one': { version: '1.0.0' } };
    project.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    project.write('npm-cli.js', '');
    project.write('npm-cli.cjs', FAKE_NPM);
    const env = { NODE_ENV: 'production', npm_execpath: join(project.root, 'npm-cli.cjs') };
    for (let times = 0; times < 2; times += 1) expect(await prepare(env).end()).to.equal(0);
    const calls = readFileSync(join(project.root, 'npm-calls'), 'utf8').trim().split('\n');
    expect(calls).to.have.lengthOf(1);
    expect(calls[0]).to.match(/^ci --include=dev /);
  });

  it('reports a failed installation with npm’s exit code', async () => {
    rmSync(join(project.root, 'node_modules/.package-lock.json'));
    project.write('npm-cli.cjs', FAKE_NPM);
    const failed = prepare({ NPM_FAILS: '1', npm_execpath: join(project.root, 'npm-cli.cjs') });
    expect(await failed.end()).to.equal(7);
    expect(failed.output).to.contain('npm ci failed').and.to.contain('Is its registry reachable?');
  });

  it('ends at a signal during the installation', async () => {
    rmSync(join(project.root, 'node_modules/.package-lock.json'));
    project.write(
      'npm-cli.cjs',
      `${FAKE_NPM} console.log('installing'); setInterval(() => undefined, 1000);`,
    );
    const running = prepare({ npm_execpath: join(project.root, 'npm-cli.cjs') });
    await running.until('installing\n');
    expect(await running.end('SIGTERM')).to.equal(143);
    expect(readFileSync(join(project.root, 'npm-calls'), 'utf8').trim().split('\n')).to.have.lengthOf(1);
    expect(existsSync(join(project.root, '.preparing'))).to.equal(false);
  });

  it('prepares one after the other when two commands start at once', async () => {
    const both = [prepare({}), prepare({})];
    expect(await Promise.all(both.map((running) => running.end()))).to.deep.equal([0, 0]);
    expect(both.filter(({ output }) => output.includes('Building'))).to.have.lengthOf(1);
    expect(existsSync(join(project.root, '.preparing'))).to.equal(false);
  });

  it('is not held up by a command that was killed while preparing', async () => {
    project.write('.preparing', '999999999');
    expect(await prepare({}).end()).to.equal(0);
  });

  it('refuses an old version of Node with a clear message', async () => {
    project.write('old.cjs', `Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } });`);
    const refused = run('node', ['--require', './old.cjs', 'bin/launch.cjs', 'start']);
    expect(await refused.end()).to.equal(1);
    expect(refused.output).to.contain('needs Node 20.19 or newer; this is Node 18.20.4');
  });
});
