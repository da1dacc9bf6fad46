import { expect } from 'chai';
import { spreadTypes } from '../../rest-bridge/spreadTypes.js';
import { buildGuardedSchema } from '../../src/buildGuardedSchema.js';

describe('spreadTypes', () => {
  const schema = buildGuardedSchema();

  it('names every plain member of a type in the spelling of REST, nested ones too', () => {
    expect(spreadTypes(schema, '{ customer { ...Customer } }')).to.equal(
      '{ customer { id: id app_id: appId external_id: externalId status: status ' +
        'profile: profile { username: username bio_markdown: bioMarkdown avatar_url: avatarUrl banner_url: bannerUrl ' +
        'public_location: publicLocation { city: city state: state country: country metro_code: metroCode } } ' +
        'metadata: metadata created_at: createdAt updated_at: updatedAt } }',
    );
  });

  it('leaves out guarded fields: a receipt does not lead to its customer', () => {
    const members = spreadTypes(schema, '...ConsentReceipt');
    expect(members).to.include('customer_id: customerId');
    expect(members).not.to.match(/\bcustomer: /);
  });

  it('refuses other than object types', () => {
    expect(() => spreadTypes(schema, '...Purposes')).to.throw('A route spreads');
    expect(() => spreadTypes(schema, '...ConsentPurpose')).to.throw('A route spreads ConsentPurpose');
  });
});
