import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { PageWindow } from '../../src/loaders/page.js';

setFlagsFromString('--allow-natives-syntax');
/** False of objects whose accessors are their own. */
const hasFastProperties = runInNewContext('(object) => %HasFastProperties(object)') as (
  object: object,
) => boolean;

describe('A page of a list', () => {
  const secrets = new SecretBox('a-secret-of-at-least-32-characters');
  const page = new PageWindow(secrets, { appId: 'app_1', list: 'claims' }, {}).pageOf({
    positions: [2, 1],
    nodes: ['b', 'a'],
    objects: () => [],
    hasNextPage: true,
    count: () => Promise.resolve(2),
  });

  it('has no own accessors, which V8 would keep in memory', () => {
    expect(
      hasFastProperties({
        get own() {
          return 1;
        },
      }),
    ).to.equal(false);
    expect(hasFastProperties(page)).to.equal(true);
    expect(hasFastProperties(page.pageInfo)).to.equal(true);
  });

  it('has the cursor of its last item as next cursor', () => {
    const { startCursor, endCursor, nextCursor, hasPreviousPage } = page.pageInfo;
    expect(page.edges.map(({ node }) => node)).to.deep.equal(['b', 'a']);
    expect([startCursor, endCursor]).to.deep.equal(page.edges.map(({ cursor }) => cursor));
    expect(nextCursor).to.equal(endCursor);
    expect(hasPreviousPage).to.equal(false);
  });
});
