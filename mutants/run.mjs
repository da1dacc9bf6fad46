// `npm run proof:mutants [-- ROOM… [FILE…]]`: Stryker over rooms of mutants/rooms.mjs, or over some files of
// one, each with its tests. One at a time; a run keeps what is as it was in the one that ended before it.
import { spawnSync } from 'node:child_process';
import { rooms } from './rooms.mjs';

const given = process.argv.slice(2);
const files = given.filter((name) => name.endsWith('.ts'));
const named = given.filter((name) => name in rooms);
for (const name of named.length > 0 ? named : Object.keys(rooms)) {
  const { status } = spawnSync(
    process.execPath,
    ['mutants/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'mutants/stryker.config.mjs'],
    { stdio: 'inherit', env: { ...process.env, MUTANTS: name, MUTANTS_FILES: files.join(',') } },
  );
  if (status !== 0) process.exitCode = 1;
}
