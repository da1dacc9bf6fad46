import { expect } from 'chai';
import { spreadTypes } from '../../rest-bridge/spreadTypes.js';
import { buildGuardedSchema } from '../../src/buildGuardedSchema.js';

describe('spreadTypes', () => {
  const schema = buildGuardedSchema();

  it('names every plain member of a type, nested ones included', () => {
    expect(spreadTypes(schema, '{ customer { ...Customer } }')).to.equal(
      '{ customer { id appId externalId status profile { username bioMarkdown avatarUrl bannerUrl ' +
        'publicLocation { city state country metroCode } } metadata createdAt updatedAt } }',
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
