import { expect } from 'chai';
import { returnPath } from '../../src/http/returnPath.js';

describe('returnPath', () => {
  it('accepts paths of this service', () => {
    const pages = [
      '/connect/cs_01hx',
      '/connections',
      '/graphiql',
      '/account?again=1',
      '/account?again=lost',
      '/connections?again=lost',
      '/oauth/interaction/Ab-_9',
      '/dashboard',
      '/dashboard/customers/cus_01hx/claims?purpose=ANALYTICS&after=a%2Bb-_',
    ];
    for (const path of pages) expect(returnPath(path)).to.equal(path);
  });

  it('rejects other addresses in any encoding', () => {
    const elsewhere = [
      undefined,
      '',
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/connect/cs_01hx/../../x',
      '/connections//evil.example',
      '/connections?next=//evil.example',
      '/graphiql\r\nSet-Cookie: x=1',
      '/sign-out',
      '/dashboard//evil.example',
      '/dashboard/../sign-out',
      '/dashboard?next=//evil.example',
    ];
    for (const path of elsewhere) expect(returnPath(path), path).to.equal('/connections');
  });
});
