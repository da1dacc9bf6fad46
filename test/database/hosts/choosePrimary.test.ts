import { expect } from 'chai';
import fc from 'fast-check';
import type { PrimaryState } from '../../../src/database/hosts/askHost.js';
import { choosePrimary } from '../../../src/database/hosts/choosePrimary.js';

const at = (url: string, timeline: number, startedAt = url): PrimaryState => ({ url, timeline, startedAt });
const chosen = (found: PrimaryState[], last = 0): string[] =>
  choosePrimary(found, last).map(({ url }) => url);

describe('the primary among hosts that take writes', () => {
  it('is the one that was promoted last, in whichever order they are named', () => {
    expect(chosen([at('former', 1), at('promoted', 2)])).to.deep.equal(['promoted']);
    expect(chosen([at('promoted', 2), at('former', 1)])).to.deep.equal(['promoted']);
  });

  it('is none if only a former primary answers', () => {
    expect(chosen([at('former', 1)], 2)).to.deep.equal([]);
  });

  it('is none of two servers on one timeline, but one server under two names', () => {
    expect(chosen([at('one', 2), at('two', 2)])).to.have.lengthOf(2);
    expect(chosen([at('name', 2, 'same'), at('alias', 2, 'same')])).to.deep.equal(['name']);
  });

  it('is never a server of an abandoned timeline', () => {
    const states = fc.array(fc.record({ url: fc.string(), timeline: fc.nat(9), startedAt: fc.string() }));
    fc.assert(
      fc.property(states, fc.nat(9), (found, last) => {
        const newest = Math.max(last, ...found.map(({ timeline }) => timeline));
        for (const { timeline } of choosePrimary(found, last)) expect(timeline).to.equal(newest);
      }),
    );
  });
});
