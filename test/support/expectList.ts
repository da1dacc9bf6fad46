import { expect } from 'chai';
import type { Connection } from '../../schema/connection.js';
import { writeCursor } from '../../src/domain/cursor.js';
import type { CursorScope } from '../../src/domain/cursor.js';
import type { OrderedPageRequest } from '../../src/loaders/page.js';
import type { LoaderFixture } from './LoaderFixture.js';

export interface ExpectedList<T> {
  list: (request: OrderedPageRequest<never>) => Promise<Connection<T>> | Connection<T>;
  idOf: (node: T) => string;
  /** All of the list, in its order. */
  ids: readonly string[];
  /** What its cursors are bound to: those of another release open the list too. */
  scope: CursorScope;
  /** The places in its cursors; the ids unless given. */
  positions?: readonly (string | number)[];
  /** What the names of its statements begin with. */
  statement?: string;
}

/** Whether a list has and counts just these items, in pages of any size, with the cursors of its contract. */
export async function expectList<T>(
  { services }: LoaderFixture,
  { list, idOf, ids, scope, positions = ids, statement = '' }: ExpectedList<T>,
): Promise<void> {
  const names: string[] = [];
  const { database } = services;
  const reads = database.readAs.bind(database);
  database.readAs = (appId, query, values) => {
    names.push(query.name);
    return reads(appId, query, values);
  };
  const pageOf = async (first: number, after: string | null): Promise<Connection<T>> =>
    list({ first, after });
  const idsOf = ({ edges }: Connection<T>): string[] => edges.map(({ node }) => idOf(node));
  try {
    const whole = await pageOf(Math.max(1, ids.length), null);
    const cursors = positions.map((position) => writeCursor(services.secrets, scope, position));
    expect(idsOf(whole)).to.deep.equal(ids);
    expect(whole.edges.map(({ cursor }) => cursor)).to.deep.equal(cursors);
    expect(whole.pageInfo.hasNextPage).to.equal(false);
    expect(await whole.count()).to.equal(ids.length);
    for (const name of names) expect(name).to.match(new RegExp(`^${statement}`));
    for (const [place, id] of ids.entries()) {
      const page = await pageOf(1, cursors[place - 1] ?? null);
      expect(idsOf(page)).to.deep.equal([id]);
      expect(page.pageInfo.hasNextPage).to.equal(place < ids.length - 1);
    }
  } finally {
    database.readAs = reads;
  }
}
