import { expect } from 'chai';
import type { Connection } from '../../schema/connection.js';
import { writeCursor } from '../../src/domain/cursor.js';
import type { CursorScope } from '../../src/domain/cursor.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { StoredText } from '../../src/documents/StoredText.js';
import { ServiceError } from '../../src/errors.js';
import { PageWindow, scopeOf } from '../../src/loaders/page.js';
import type { PageRequest } from '../../src/loaders/page.js';
import { Statement } from '../../src/loaders/Statement.js';
import { readTimePosition, timePosition } from '../../src/loaders/timePosition.js';

const SECRETS = new SecretBox('a-secret-of-at-least-32-characters');
const SCOPE: CursorScope = { appId: 'app_1', list: 'things' };
const uncounted = (): Promise<null> => Promise.resolve(null);

describe('The window of a page', () => {
  const window = (request: PageRequest): object => {
    const { size, limit, after } = new PageWindow(SECRETS, SCOPE, request);
    return { size, limit, after };
  };
  const cursor = writeCursor(SECRETS, SCOPE, 7);

  it('has 25 items from the start by default', () => {
    expect(window({})).to.deep.equal({ size: 25, limit: 26, after: null });
    expect(window({ first: null, after: null })).to.deep.equal({ size: 25, limit: 26, after: null });
    expect(window({ first: 100, after: cursor })).to.deep.equal({ size: 100, limit: 101, after: 7 });
  });

  it('is refused outside its bounds and with a cursor of another list', () => {
    const refusal = (request: PageRequest): ServiceError => {
      try {
        window(request);
      } catch (error) {
        if (error instanceof ServiceError) return error;
      }
      throw new Error('It was not refused.');
    };
    const message = 'must be an integer from 1 to 100';
    for (const first of [0, 101, 1.5]) {
      const refused = refusal({ first });
      expect([refused.code, refused.message]).to.deep.equal([
        'invalid_request',
        `The page's size ${message}.`,
      ]);
      expect(refused.facts.details).to.deep.equal([{ code: 'invalid_parameter', message, field: 'limit' }]);
    }
    for (const after of ['', writeCursor(SECRETS, { ...SCOPE, list: 'others' }, 7)])
      expect(refusal({ after }).facts.details?.[0]?.code).to.equal('invalid_cursor');
  });

  it('depends on the filters and the order', () => {
    expect(scopeOf('app_1', 'things', {})).to.deep.equal(SCOPE);
    expect(scopeOf('app_1', 'things', { status: undefined }, 'newest_first')).to.deep.equal(SCOPE);
    const filters = [
      scopeOf('app_1', 'things', { status: 'new' }),
      scopeOf('app_1', 'things', { status: 'old' }),
      scopeOf('app_1', 'things', { kind: 'new' }),
      scopeOf('app_1', 'things', {}, 'oldest_first'),
      scopeOf('app_1', 'things', { status: 'new' }, 'oldest_first'),
    ].map(({ filter }) => filter);
    expect(new Set(filters).size).to.equal(filters.length);
    expect(filters).to.not.include(undefined);
  });
});

describe('A page of rows', () => {
  const page = (rows: readonly number[], first = 2): Connection<string> => {
    const window = new PageWindow(SECRETS, SCOPE, { first });
    return window.toPage(rows, (row) => ({ position: row, node: `n${row}` }), uncounted);
  };

  it('omits the extra row and says that more follow', () => {
    const { nodes, edges, pageInfo, count } = page([3, 2, 1]);
    expect(nodes).to.deep.equal(['n3', 'n2']);
    expect(edges).to.deep.equal([
      { node: 'n3', cursor: writeCursor(SECRETS, SCOPE, 3) },
      { node: 'n2', cursor: writeCursor(SECRETS, SCOPE, 2) },
    ]);
    expect(pageInfo.hasNextPage).to.equal(true);
    expect(pageInfo.startCursor).to.equal(writeCursor(SECRETS, SCOPE, 3));
    expect(pageInfo.nextCursor).to.equal(writeCursor(SECRETS, SCOPE, 2));
    expect(count).to.equal(uncounted);
  });

  it('is the last one without an extra row', () => {
    const { nodes, pageInfo } = page([3, 2]);
    expect(nodes).to.deep.equal(['n3', 'n2']);
    expect([pageInfo.hasNextPage, pageInfo.nextCursor]).to.deep.equal([false, null]);
    expect(pageInfo.endCursor).to.equal(writeCursor(SECRETS, SCOPE, 2));
    expect(page([4, 3, 2], 3).pageInfo.endCursor).to.equal(writeCursor(SECRETS, SCOPE, 2));
  });

  it('has no cursor when it is empty', () => {
    const { edges, pageInfo } = page([]);
    expect(edges).to.deep.equal([]);
    const { startCursor, endCursor, nextCursor, hasPreviousPage } = pageInfo;
    expect([startCursor, endCursor, nextCursor, hasPreviousPage]).to.deep.equal([null, null, null, false]);
  });

  it('parses its text only for edges', () => {
    const text = new StoredText('{"id":1},{"id":2}', 2);
    const made = new PageWindow(SECRETS, SCOPE, {}).pageOf({
      positions: [9, 8],
      nodes: text,
      objects: () => [{ id: 1 }, { id: 2 }],
      hasNextPage: false,
      count: uncounted,
    });
    expect(made.nodes).to.equal(text);
    expect(made.edges).to.deep.equal([
      { node: { id: 1 }, cursor: writeCursor(SECRETS, SCOPE, 9) },
      { node: { id: 2 }, cursor: writeCursor(SECRETS, SCOPE, 8) },
    ]);
  });
});

describe('A position in a list by time', () => {
  it('is read as it was written for any id', () => {
    const time = '2026-03-01T00:00:00.000Z';
    for (const id of ['cus_1', 'a/b', ''])
      expect(readTimePosition(timePosition(time, id))).to.deep.equal([time, id]);
    expect(readTimePosition(null)).to.deep.equal([null, null]);
  });
});

describe('Statement', () => {
  it('has one name per text and numbers its values', () => {
    const statement = new Statement('things', 'app_1');
    expect([statement.bind('a'), statement.bind(2)]).to.deep.equal(['$2', '$3']);
    expect(statement.values).to.deep.equal(['app_1', 'a', 2]);
    const query = statement.query('SELECT $2');
    expect(query.text).to.equal('SELECT $2');
    expect(query.name).to.match(/^things_[\w-]{16}$/);
    expect(new Statement('things', 'app_2').query('SELECT $2').name).to.equal(query.name);
    expect(statement.query('SELECT $3').name).to.not.equal(query.name);
    expect(new Statement('others', 'app_1').query('SELECT $2').name).to.not.equal(query.name);
  });
});
