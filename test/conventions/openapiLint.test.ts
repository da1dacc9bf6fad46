import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { itInProofs } from '../support/itInProofs.js';

const run = promisify(execFile);
const FOLDER = 'openapi-lint';
const INSTALLED = join(FOLDER, 'node_modules', '.package-lock.json');

/** The findings of both linters, one a line. */
async function findingsOf(file: string): Promise<string[]> {
  const { stdout } = await run('node', [join(FOLDER, 'lint.mjs'), file], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((failure: { code?: number; stdout: string; stderr: string }) => {
    if (failure.stdout === '') throw new Error(failure.stderr);
    return failure;
  });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the OpenAPI document', () => {
  before(async function () {
    // The linters are a package of their own, heavier than the service: installed by the first run of this
    // test.
    this.timeout(300_000);
    if (!existsSync(INSTALLED)) await run('npm', ['--prefix', FOLDER, 'ci', '--ignore-scripts']);
  });

  it("satisfies Redocly's strict rules and Spectral's rules for OpenAPI", async () => {
    expect(await findingsOf('schema/openapi.json')).to.deep.equal([]);
  });

  itInProofs('is refused by both without an operation id or with a dangling reference', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'));
    const file = join(folder, 'openapi.json');
    const text = readFileSync('schema/openapi.json', 'utf8')
      .replace('"operationId": "getApp",', '')
      .replace('#/components/schemas/AppStatus', '#/components/schemas/Nothing');
    writeFileSync(file, text);
    const findings = await findingsOf(file);
    rmSync(folder, { recursive: true });
    for (const linter of ['redocly', 'spectral'])
      expect(findings.filter((finding) => finding.startsWith(linter))).to.have.length.above(1);
  });
});
