import { expect } from 'chai';
import { pageHeaders } from '../../src/html/pageHeaders.js';

describe('pageHeaders', () => {
  it('allows nothing inline, no frame and no referrer', () => {
    const headers = pageHeaders();
    expect(headers['Content-Security-Policy'])
      .to.include("default-src 'none'")
      .and.to.include("frame-ancestors 'none'");
    expect(headers['Content-Security-Policy']).not.to.include('unsafe-inline');
    expect(headers).to.include({
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
    });
  });

  it('names only origins, and native schemes only if a form leads to them', () => {
    const policy = pageHeaders({
      frameAncestors: ['https://partner.example/back?x=1', 'partnerapp://back'],
      formTargets: ['https://partner.example/back?x=1', 'partnerapp://back'],
    })['Content-Security-Policy'];
    expect(policy).to.match(/frame-ancestors https:\/\/partner\.example$/);
    expect(policy).to.include("form-action 'self' https://partner.example partnerapp:;");
  });
});
