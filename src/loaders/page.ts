import type { Connection, Edge } from '../../schema/connection.js';
import type { PageInfo } from '../../schema/types/PageInfo.js';
import { readCursor, writeCursor } from '../domain/cursor.js';
import type { CursorScope } from '../domain/cursor.js';
import { DEFAULT_PAGE_SIZE, pageSizeProblem } from '../domain/pageSize.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { StoredText } from '../documents/StoredText.js';
import { sqlOrder } from '../domain/listOrder.js';
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

/** What a statement reads for a page of a list with several orders. */
export type OrderedWindow = Pick<PageWindow, 'limit' | 'after'> & SqlOrder;

/** Counts a whole list; null above the maximum. */
export type Count = () => Promise<number | null>;

/** The requested page of a list: how many items, after which position. */
export class PageWindow {
  /** Maximum items. */
  readonly size: number;
  readonly after: Position | null;

  /** @throws ServiceError `invalid_request` for a size outside 1 to 100 or a foreign cursor */
  constructor(
    private readonly secrets: SecretBox,
    private readonly scope: CursorScope,
    { first, after }: PageRequest,
  ) {
    this.size = first ?? DEFAULT_PAGE_SIZE;
    const message = pageSizeProblem(this.size);
    if (message !== undefined) {
      throw new ServiceError('invalid_request', `The page's size ${message}.`, {
        details: [{ code: 'invalid_parameter', message, field: 'limit' }],
      });
    }
    this.after = after === null || after === undefined ? null : readCursor(secrets, scope, after);
  }

  /** How many rows to read: the extra row shows that more follow. */
  get limit(): number {
    return this.size + 1;
  }

  inOrder(order: CustomerOrder | undefined): OrderedWindow {
    return { limit: this.limit, after: this.after, ...sqlOrder(order) };
  }

  /** The page of the rows that were read. */
  toPage<Row, T>(rows: readonly Row[], read: (row: Row) => Placed<T>, count: Count): Connection<T> {
    const placed = rows.slice(0, this.size).map((row) => read(row));
    const nodes = placed.map(({ node }) => node);
    const positions = placed.map(({ position }) => position);
    const hasNextPage = rows.length > this.size;
    return this.pageOf({ positions, nodes, objects: () => nodes, hasNextPage, count });
  }

  /** A page of content that needs no reading of rows. */
  pageOf<T>(content: PageContent<T>): Connection<T> {
    return new Page(content, (position) => writeCursor(this.secrets, this.scope, position));
  }
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
