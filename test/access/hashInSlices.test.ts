import { expect } from 'chai';
import fc from 'fast-check';
import { hashInSlices } from '../../src/access/hashInSlices.js';
import { payloadHash } from '../../src/domain/idempotency.js';
import { turnsDuring } from '../support/turnsDuring.js';

describe('a payload hashed in slices', () => {
  it('has the hash that it has in one go', async () => {
    const held = fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.constant(undefined));
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.dictionary(fc.string(), held),
        fc.array(held),
        async (name, input, items) => {
          const payload = { input: { ...input, items }, rejected: items.map((item, index) => [index, item]) };
          expect(await hashInSlices(name, payload)).to.equal(payloadHash(name, payload));
          expect(await hashInSlices(name, input)).to.equal(payloadHash(name, input));
        },
      ),
    );
  });

  it('yields to others while it is large', async () => {
    const claims = Array.from({ length: 500 }, (_, at) => ({ customer_id: `cus_${at}`, value: { at } }));
    const payload = { input: { claims } };
    let hashed = '';
    const turns = await turnsDuring(async () => (hashed = await hashInSlices('ingestClaims', payload)));
    expect(turns).to.be.greaterThan(2);
    expect(hashed).to.equal(payloadHash('ingestClaims', payload));
  });
});
