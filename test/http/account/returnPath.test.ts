import { expect } from 'chai';
import { returnPath } from '../../../src/http/account/returnPath.js';

describe('returnPath', () => {
  it('leads back to pages of this service', () => {
    for (const path of ['/connect/cs_01hx', '/connections', '/graphiql', '/oauth/interaction/Ab-_9']) {
      expect(returnPath(path)).to.equal(path);
    }
  });

  it('leads nowhere else, however it is dressed up', () => {
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
    ];
    for (const path of elsewhere) expect(returnPath(path), path).to.equal('/connections');
  });
});
