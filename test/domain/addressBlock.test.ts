import { expect } from 'chai';
import { addressBlock } from '../../src/domain/addressBlock.js';

describe('addressBlock', () => {
  it('takes an IPv4 address as it is, however it is written', () => {
    expect(addressBlock('203.0.113.7')).to.equal('203.0.113.7');
    expect(addressBlock('::ffff:203.0.113.7')).to.equal('203.0.113.7');
  });

  it('takes the /64 of an IPv6 address', () => {
    expect(addressBlock('2001:db8:1:2::1')).to.equal(addressBlock('2001:db8:1:2:ffff:1:2:3'));
    expect(addressBlock('2001:db8:1:2::1')).not.to.equal(addressBlock('2001:db8:1:3::1'));
  });

  it('does not fail on what is not an address', () => {
    expect(addressBlock('')).to.equal('unknown');
  });
});
