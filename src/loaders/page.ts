import type { Connection } from '../../schema/connection.js';
import { readCursor, writeCursor } from '../domain/cursor.js';
import type { CursorScope } from '../domain/cursor.js';
import type { SecretBox } from '../domain/SecretBox.js';
import { ServiceError } from '../errors.js';

const DEFAULT_LIMIT = 25;
const MOST_LIMIT = 100;

export interface PageRequest {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** The page asked for: how many items, after which position. */
export interface PageWindow {
  limit: number;
  after: string | number | null;
}

/** @throws ServiceError `invalid_request` for a limit outside 1 to 100 or a foreign cursor */
export function readWindow(secrets: SecretBox, scope: CursorScope, { first, after }: PageRequest): PageWindow {
  const limit = first ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LIMIT) {
    const message = `must be an integer from 1 to ${MOST_LIMIT}`;
    throw new ServiceError('invalid_request', `The limit ${message}.`, {
      details: [{ code: 'out_of_range', message, field: 'limit' }],
    });
  }
  return { limit, after: after === null || after === undefined ? null : readCursor(secrets, scope, after) };
}

/** The page that `limit + 1` rows make: the extra one only tells that more follow. */
export function toPage<Row, T>(
  secrets: SecretBox,
  scope: CursorScope,
  limit: number,
  rows: readonly Row[],
  read: (row: Row) => Placed<T>,
): Connection<T> {
  const placed = rows.slice(0, limit).map((row) => read(row));
  return new Page(placed, rows.length > limit, (position) => writeCursor(secrets, scope, position));
}

interface Placed<T> {
  position: string | number;
  node: T;
}

/** Cursors are sealed, which costs more than all the rest of an item: only those that are asked for are made. */
class Page<T> implements Connection<T> {
  readonly nodes: T[];
  readonly pageInfo: Connection<T>['pageInfo'];
  private readonly items: readonly Placed<T>[];
  private readonly seal: (position: string | number) => string;

  constructor(items: readonly Placed<T>[], hasNextPage: boolean, seal: (position: string | number) => string) {
    this.items = items;
    this.seal = seal;
    this.nodes = items.map(({ node }) => node);
    const cursorOf = (item: Placed<T> | undefined): string | null => (item === undefined ? null : seal(item.position));
    this.pageInfo = {
      hasNextPage,
      hasPreviousPage: false,
      get startCursor() {
        return cursorOf(items[0]);
      },
      get endCursor() {
        return cursorOf(items.at(-1));
      },
      get nextCursor() {
        return hasNextPage ? cursorOf(items.at(-1)) : null;
      },
    };
  }

  get edges(): Connection<T>['edges'] {
    return this.items.map(({ position, node }) => ({ cursor: this.seal(position), node }));
  }
}
