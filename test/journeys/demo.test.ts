import { expect } from 'chai';
import { Partner } from '../../src/demo/Partner.js';
import { walkMainJob } from '../../src/demo/walkMainJob.js';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';

describe('npm run demo', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('walks the main job from an app to a refused read', async () => {
    const lines: string[] = [];
    const partner = new Partner(service.url, (line) => lines.push(line));
    const result = await walkMainJob(partner, TEST_ADMIN_KEY);
    expect(result).to.deep.equal({
      facts: 4,
      sameThroughBothDoors: true,
      afterRevocation: { status: 'accepted', code: 'consent_denied', factsLeft: ['analytics'] },
      cascade: 'completed',
    });
    expect(lines.join('\n')).to.contain('home.city = "Lisbon"').and.contain('not "Porto"');
  });
});
