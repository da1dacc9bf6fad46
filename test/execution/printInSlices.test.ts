import { expect } from 'chai';
import fc from 'fast-check';
import { StoredText } from '../../src/documents/StoredText.js';
import { printInSlices } from '../../src/execution/printInSlices.js';
import { turnsDuring } from '../support/turnsDuring.js';

describe('printInSlices', () => {
  it('prints the same as JSON.stringify', async () => {
    const held = fc.oneof(fc.jsonValue({ maxDepth: 10 }), fc.constant(undefined));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), held), fc.array(held), async (members, items) => {
        const data = { members, items, nested: [[members], { items }] };
        expect(await printInSlices(data)).to.equal(JSON.stringify(data));
      }),
    );
  });

  it('leaves stored text as it is', async () => {
    const data = { profile: { facts: new StoredText('[{"a":1}]', 1) } };
    expect(await printInSlices(data)).to.equal('{"profile":{"facts":[{"a":1}]}}');
  });

  it('yields to other work while it prints a large answer', async () => {
    const data = {
      nodes: Array.from({ length: 50 }, (_, id) => ({
        id,
        facts: Array.from({ length: 100 }, () => ({ id })),
      })),
    };
    let text = '';
    const turns = await turnsDuring(async () => (text = await printInSlices(data)));
    expect(text).to.equal(JSON.stringify(data));
    expect(turns).to.be.greaterThan(10);
  });
});
