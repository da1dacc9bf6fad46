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

  it('names only origins that may frame the page', () => {
    const frameAncestors = ['https://partner.example/back?x=1', 'partnerapp://back'];
    const policy = pageHeaders({ frameAncestors })['Content-Security-Policy'];
    expect(policy).to.match(/frame-ancestors https:\/\/partner\.example$/);
  });

  it('keeps forms within the service, except those that lead away', () => {
    expect(pageHeaders()['Content-Security-Policy']).to.include("form-action 'self';");
    expect(pageHeaders({ leadsAway: true })['Content-Security-Policy']).not.to.include('form-action');
  });
});
