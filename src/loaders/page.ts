import type { Connection, Edge } from '../../schema/connection.js';
import type { PageInfo } from '../../schema/types/PageInfo.js';
import { readCursor, writeCursor } from '../domain/cursor.js';
import type { CursorScope } from '../domain/cursor.js';
import { DEFAULT_PAGE_SIZE, pageSizeProblem } from '../domain/pageSize.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { StoredText } from '../documents/StoredText.js';
import type { CustomerOrder, ListOrder, SqlOrder } from '../domain/listOrder.js';
import { ServiceError } from '../errors.js';

export interface PageRequest {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A page of a list with several orders. */
export interface OrderedPageRequest<Order = ListOrder> extends PageRequest {
  order?: Order | undefined;
}

/** The list with its filter and order. Its cursors are bound to them. */
export function scopeOf(appId: string, list: string, filter: object, order?: CustomerOrder): CursorScope {
  const by = order === 'newest_first' ? undefined : order;
  const asked = Object.entries({ ...filter, order: by }).filter(([, value]) => value !== undefined);
  return { appId, list, ...(asked.length === 0 ? {} : { filter: JSON.stringify(asked) }) };
}

/** The requested page: how many items, after which position. */
export interface PageWindow {
  limit: number;
  after: string | number | null;
}

/** A window of one row more than the page, and the order of reading. */
export type OrderedWindow = PageWindow & SqlOrder;

/** @throws ServiceError `invalid_request` for a limit outside 1 to 100 or a foreign cursor */
export function readWindow(
  secrets: SecretBox,
  scope: CursorScope,
  { first, after }: PageRequest,
): PageWindow {
  const limit = first ?? DEFAULT_PAGE_SIZE;
  const message = pageSizeProblem(limit);
  if (message !== undefined) {
    throw new ServiceError('invalid_request', `The page's size ${message}.`, {
      details: [{ code: 'invalid_parameter', message, field: 'limit' }],
    });
  }
  return { limit, after: after === null || after === undefined ? null : readCursor(secrets, scope, after) };
}

/** Counts a whole list; null above the maximum. */
export type Count = () => Promise<number | null>;

/** A page from `limit + 1` rows: the extra row shows that more follow. */
export function toPage<Row, T>(
  secrets: SecretBox,
  scope: CursorScope,
  limit: number,
  rows: readonly Row[],
  read: (row: Row) => Placed<T>,
  count: Count,
): Connection<T> {
  const placed = rows.slice(0, limit).map((row) => read(row));
  const nodes = placed.map(({ node }) => node);
  const positions = placed.map(({ position }) => position);
  return makePage(secrets, scope, {
    positions,
    nodes,
    objects: () => nodes,
    hasNextPage: rows.length > limit,
    count,
  });
}

type Position = string | number;

interface Placed<T> {
  position: Position;
  node: T;
}

interface PageContent<T> {
  positions: readonly Position[];
  nodes: T[] | StoredText;
  /** The nodes as objects, for text nodes that need cursors. */
  objects: () => T[];
  hasNextPage: boolean;
  count: Count;
}

/** Creates a cursor from a position. */
type Seal = (position: Position) => string;

export function makePage<T>(secrets: SecretBox, scope: CursorScope, content: PageContent<T>): Connection<T> {
  return new Page(content, (position) => writeCursor(secrets, scope, position));
}

/**
 * Creates only the requested cursors: sealing a cursor costs more than the rest of an item.
 *
 * These are classes and no literals with accessors: V8 allocates the accessors of a literal in the old
 * generation, where they keep the page alive until it is swept (docs/decisions/0028-what-kept-rows-alive.md).
 */
class Page<T> implements Connection<T> {
  readonly nodes: T[] | StoredText;
  readonly count: Count;
  readonly pageInfo: PageInfo;

  constructor(
    private readonly content: PageContent<T>,
    private readonly seal: Seal,
  ) {
    this.nodes = content.nodes;
    this.count = content.count;
    this.pageInfo = new Window(content.hasNextPage, content.positions, seal);
  }

  get edges(): Edge<T>[] {
    const { positions, nodes, objects } = this.content;
    return (Array.isArray(nodes) ? nodes : objects()).map((node, index) => ({
      cursor: this.seal(positions[index] ?? ''),
      node,
    }));
  }
}

class Window implements PageInfo {
  readonly hasPreviousPage = false;

  constructor(
    readonly hasNextPage: boolean,
    private readonly positions: readonly Position[],
    private readonly seal: Seal,
  ) {}

  get startCursor(): string | null {
    return this.cursorOf(this.positions[0]);
  }

  get endCursor(): string | null {
    return this.cursorOf(this.positions.at(-1));
  }

  get nextCursor(): string | null {
    return this.hasNextPage ? this.endCursor : null;
  }

  private cursorOf(position: Position | undefined): string | null {
    return position === undefined ? null : this.seal(position);
  }
}
