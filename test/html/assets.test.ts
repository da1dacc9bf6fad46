import { expect } from 'chai';
import { assetPath } from '../../src/html/assets.js';
import { TestService } from '../support/TestService.js';

describe('Static files of the pages', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
  });
  after(() => service.stop());

  async function fetched(path: string) {
    const answer = await fetch(service.url + path);
    const { status, headers } = answer;
    return {
      status,
      type: headers.get('content-type'),
      kept: headers.get('cache-control'),
      text: await answer.text(),
    };
  }

  for (const name of ['pages.css', 'passkey.js', 'icon.svg'])
    it(`are kept for good, and answer pages of other versions too: ${name}`, async () => {
      const path = assetPath(name);
      const own = await fetched(path);
      expect(own.status).to.equal(200);
      expect(own.kept).to.equal('public, max-age=31536000, immutable');
      const ofAnother = await fetched(path.replace(/\.[\w-]{12}\./, '.At756vgAqx-W.'));
      expect(ofAnother).to.deep.equal({ ...own, kept: 'no-store' });
    });

  it('are not found by another name', async () => {
    for (const name of ['pages.css', 'other.At756vgAqx-W.css', 'pages.At756vgAqx-W.js', 'pages.short.css'])
      expect((await fetched(`/assets/${name}`)).status, name).to.equal(404);
  });
});
