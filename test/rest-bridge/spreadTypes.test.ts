import { expect } from 'chai';
import { buildSchema } from 'graphql';
import { spreadTypes } from '../../rest-bridge/spreadTypes.js';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';

describe('spreadTypes', () => {
  const schema = buildGuardedSchema();

  it('names every plain member of a type, nested ones included', () => {
    const small = buildSchema(`
      type Query { shelf: Shelf }
      type Shelf { id: ID! size: Size! books: [Book!]! search(text: String): [Book!] }
      type Size { width: Int place: Place }
      type Place { room: String tags: [String!] }
      type Book { title: String! }`);
    expect(spreadTypes(small, '{ shelf { ...Shelf } }')).to.equal(
      '{ shelf { id size { width place { room tags } } books { title } } }',
    );
  });

  it('leaves out guarded fields: a receipt does not lead to its customer', () => {
    const members = spreadTypes(schema, '...ConsentReceipt');
    expect(members).to.include('customerId');
    expect(members).not.to.match(/\bcustomer\b/);
  });

  it('refuses other than object types', () => {
    expect(() => spreadTypes(schema, '...Purposes')).to.throw('A route spreads');
    expect(() => spreadTypes(schema, '...ConsentPurpose')).to.throw('A route spreads ConsentPurpose');
  });
});
