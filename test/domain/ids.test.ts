import { expect } from 'chai';
import { dateIdsBy, firstIdAt, newId } from '../../src/domain/ids.js';

describe('A new identifier', () => {
  let now: Date;

  beforeEach(() => {
    now = new Date();
    dateIdsBy(() => now);
  });
  after(() => dateIdsBy(() => new Date()));

  it('is a TypeID of a UUIDv7', () => {
    const id = newId('evt');
    expect(id).to.match(/^evt_0[0-9a-hjkmnp-tv-z]{25}$/);
    expect(id.slice('evt_'.length + 10, 'evt_'.length + 11)).to.match(/[ef]/);
  });

  it('sorts by the time of the clock, and in one millisecond by order', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('evt'));
    now = new Date(now.getTime() + 60_000);
    ids.push(newId('evt'));
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
    const between = [...ids.slice(0, -1), firstIdAt('evt', now), ...ids.slice(-1)];
    expect(between.toSorted()).to.deep.equal(between);
  });

  it('goes on from the one before when the clock is set back a little', () => {
    const ids = [newId('evt')];
    now = new Date(now.getTime() - 9000);
    ids.push(newId('evt'));
    expect(ids.toSorted()).to.deep.equal(ids);
  });
});
