import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { TestService } from '../support/TestService.js';
import { runProgram } from '../support/runProgram.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Runs a line `npm run NAME -- …` of a page on the service's database, without building again. */
export async function runCommand(
  service: TestService,
  line: string,
  env: Record<string, string> = {},
): Promise<void> {
  const [, name = '', rest = ''] = /^npm run (\S+) +-- (.*)$/.exec(line) ?? [];
  const program = /dist\/src\/cli\/\w+\.js/.exec(scripts[name] ?? '')?.[0] ?? `the script ${name}`;
  const { code, stderr } = await runProgram('sh', ['-c', `exec "$NODE" ${program} ${rest}`], {
    env: { ...env, NODE: process.execPath, DATABASE_URL: service.database.serviceUrl },
  });
  expect(code, `${line}: ${stderr}`).to.equal(0);
}
