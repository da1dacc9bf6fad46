import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'docs/decisions';

describe('Architecture decision records', () => {
  it('are numbered once each, from 1 on, in name and title', () => {
    const files = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
    const titles = files.map((name) => /^# (\d+)\. /.exec(readFileSync(`${FOLDER}/${name}`, 'utf8'))?.[1]);
    const expected = files.map((_name, index) => index + 1);
    expect(files.map((name) => Number(name.slice(0, 4)))).to.deep.equal(expected);
    expect(titles.map(Number)).to.deep.equal(expected);
  });
});
