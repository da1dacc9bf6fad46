import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';

interface Room {
  mutate: readonly string[];
  tests: readonly string[];
}

/** Types alone: there is nothing to mutate. */
const WITHOUT_CODE = ['src/loaders/ReadScope.ts'];

/** Whether a room mutates a file: `*` stands for a part of a name, `!` takes out. */
function isMutated(file: string, { mutate }: Room): boolean {
  const meets = (pattern: string): boolean =>
    new RegExp(`^${pattern.replace('**/', '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(file);
  const [out, into] = [true, false].map((side) => mutate.filter((one) => one.startsWith('!') === side));
  return (into ?? []).some(meets) && !(out ?? []).some((one) => meets(one.slice(1)));
}

describe('the rooms of the mutation tester', () => {
  let rooms: Record<string, Room>;

  before(async () => {
    const url = new URL('../../../mutants/rooms.mjs', import.meta.url).href;
    ({ rooms } = (await import(url)) as { rooms: Record<string, Room> });
  });

  it('contain each loader and each file of OAuth once', () => {
    const folders = ['src/loaders', 'src/oauth'];
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
    const roomsOf = Object.fromEntries(
      files.map((file) => [file, Object.keys(rooms).filter((name) => isMutated(file, rooms[name] as Room))]),
    );
    const wrong = files.filter((file) => roomsOf[file]?.length !== (WITHOUT_CODE.includes(file) ? 0 : 1));
    expect(wrong).to.deep.equal([]);
  });

  it('name existing tests', () => {
    const tests = Object.values(rooms).flatMap((room) => room.tests);
    const sources = tests.map((name) => name.replace(/^dist\//, '').replace(/js$/, 'ts'));
    expect(sources.filter((name) => !existsSync(name))).to.deep.equal([]);
  });
});
