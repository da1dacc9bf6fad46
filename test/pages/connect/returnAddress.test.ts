import { expect } from 'chai';
import { returnAddress } from '../../../src/pages/connect/returnAddress.js';

describe('returnAddress', () => {
  it('adds the outcome and keeps what the address carries', () => {
    expect(returnAddress('https://partner.example/back?shop=1&q=a%20b', 'cs_1', 'authorized')).to.equal(
      'https://partner.example/back?shop=1&q=a+b&session_id=cs_1&status=authorized',
    );
  });

  it("knows apps' own schemes, and lets nobody forge the outcome beforehand", () => {
    expect(returnAddress('com.example.app:/back?status=authorized', 'cs_1', 'revoked')).to.equal(
      'com.example.app:/back?status=revoked&session_id=cs_1',
    );
  });
});
