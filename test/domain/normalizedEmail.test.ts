import { expect } from 'chai';
import fc from 'fast-check';
import { normalizedEmail } from '../../src/domain/normalizedEmail.js';

describe('normalizedEmail', () => {
  it('finds an address however it was typed', () => {
    expect(normalizedEmail('  Ilona.Maric@Partner.Example ')).to.equal('ilona.maric@partner.example');
  });

  for (const text of [
    '',
    'ilona',
    'ilona@',
    '@partner.example',
    'a b@c.example',
    'a@b',
    'a@b..example',
    'a@b.example, c@d.example',
  ]) {
    it(`does not take ${JSON.stringify(text)} for an address`, () => {
      expect(normalizedEmail(text)).to.equal(undefined);
    });
  }

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const once = normalizedEmail(email);
        fc.pre(once !== undefined);
        expect(normalizedEmail(once)).to.equal(once);
      }),
    );
  });
});
