// `npm run proof:mutants [-- NAME…]`: Stryker over the parts that docs/proofs.md lists, each with its tests.
// One at a time.
import { spawnSync } from 'node:child_process';

const names = process.argv.length > 2 ? process.argv.slice(2) : ['access', 'idempotency'];
for (const name of names) {
  const { status } = spawnSync(
    process.execPath,
    ['mutants/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', `mutants/${name}.json`],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exitCode = 1;
}
