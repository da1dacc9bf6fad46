import { expect } from 'chai';
import fc from 'fast-check';
import { newId } from '../../src/domain/ids.js';
import { entryNodeId, placeOfNode } from '../../src/domain/nodeId.js';

describe('node ids', () => {
  it('map to the type of their prefix', () => {
    const types = (['app', 'cus', 'cs', 'rcp', 'evt', 'wf', 'whd', 'whe'] as const).map(
      (prefix) => placeOfNode(newId(prefix))?.type,
    );
    expect(types).to.deep.equal([
      'App',
      'Customer',
      'ConnectionSession',
      'ConsentReceipt',
      'Event',
      'Workflow',
      'WebhookDelivery',
      'WebhookEndpoint',
    ]);
    expect(placeOfNode(newId('clm'))).to.equal(undefined);
    expect(placeOfNode('books')).to.deep.equal({ type: 'Ontology', id: 'books' });
    for (const id of ['', ' ', 'A', '__proto__', 'x'.repeat(65), newId('acc')])
      expect(placeOfNode(id)).to.equal(undefined);
  });

  it('map back to every entry, whatever id a partner chose for it', () => {
    const own = fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/);
    fc.assert(
      fc.property(own, (id) => {
        expect(placeOfNode(entryNodeId(id))).to.deep.equal({ type: 'Entry', id });
      }),
      {
        examples: [
          ['books'],
          ['entry:books'],
          ['entry:ent_01kafem1xve7vbs97sn4r71brf'],
          [newId('cus')],
          ['ent_x'],
        ],
      },
    );
  });
});
