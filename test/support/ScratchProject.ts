import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Running } from './Running.js';

/** A clone in small: our launch scripts around a service of a few lines. */
export class ScratchProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'launch-test-')));

  constructor(service: string) {
    const { config, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      config: Record<string, string>;
      scripts: Record<string, string>;
    };
    cpSync('bin', join(this.root, 'bin'), { recursive: true });
    this.write('package.json', JSON.stringify({ name: 'scratch', type: 'module', config, scripts }));
    this.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: { '': {} } }));
    this.write('node_modules/.package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: {} }));
    for (const name of ['typescript', '@types/node', 'undici-types']) this.link(`node_modules/${name}`);
    this.compile('src');
    this.write('src/main.ts', service);
  }

  /** What its build compiles. */
  compile(...include: string[]): void {
    const compilerOptions = {
      module: 'NodeNext',
      outDir: 'dist',
      rootDir: '.',
      target: 'ES2022',
      types: ['node'],
      skipLibCheck: true,
    };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
  }

  write(path: string, content: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Running {
    const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const options = { cwd: this.root, env: { ...Object.fromEntries(inherited), ...env } };
    return new Running(spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private link(path: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    symlinkSync(resolve(path), join(this.root, path));
  }
}
