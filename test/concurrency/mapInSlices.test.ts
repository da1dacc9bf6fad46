import { expect } from 'chai';
import { mapInSlices } from '../../src/concurrency/mapInSlices.js';
import { turnsDuring } from '../support/turnsDuring.js';

describe('a list mapped in slices', () => {
  const items = Array.from({ length: 1050 }, (_, at) => at);

  it('is what map gives, with the index', async () => {
    const work = (item: number, index: number): string => `${item}/${index}`;
    expect(await mapInSlices(items, work)).to.deep.equal(items.map(work));
    expect(await mapInSlices([], work)).to.deep.equal([]);
  });

  it('yields to others while it is long', async () => {
    expect(await turnsDuring(() => mapInSlices(items, String))).to.be.greaterThan(2);
  });

  it('shares its rounds with the other lists that are mapped', async () => {
    const alone = await turnsDuring(() => mapInSlices(items, String));
    const three = await turnsDuring(() => Promise.all([1, 2, 3].map(() => mapInSlices(items, String))));
    expect(three).to.be.greaterThan(2 * alone);
  });
});
