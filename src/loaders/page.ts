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
  read: (row: Row) => { position: string | number; node: T },
): Connection<T> {
  const edges = rows.slice(0, limit).map((row) => {
    const { position, node } = read(row);
    return { cursor: writeCursor(secrets, scope, position), node };
  });
  const endCursor = edges.at(-1)?.cursor ?? null;
  const hasNextPage = rows.length > limit;
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor ?? null,
      endCursor,
      nextCursor: hasNextPage ? endCursor : null,
    },
  };
}
