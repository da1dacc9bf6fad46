import type { ClassType } from 'type-graphql';
import { FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { StoredText } from '../src/documents/StoredText.js';
import { NonNull } from './fields.js';
import { PageInfo } from './types/PageInfo.js';

/** The largest `totalCount`. */
export const MAX_TOTAL = 10_000;

export interface Edge<T> {
  cursor: string;
  node: T;
}

/** One page of a list. */
export interface Connection<T> {
  edges: Edge<T>[];
  nodes: T[] | StoredText;
  pageInfo: PageInfo;
  /** Counts the whole list; null beyond `MAX_TOTAL`. */
  count: () => Promise<number | null>;
}

/** Resolvers of the connections. Each is created with its type. */
export const connectionResolvers: (new () => object)[] = [];

/** The Relay connection and edge types of a node type, named `<Name>Connection` and `<Name>Edge`. */
export function connectionOf<T extends object>(
  name: string,
  node: () => ClassType<T>,
): ClassType<Omit<Connection<T>, 'count'>> {
  @ObjectType(`${name}Edge`, {
    description: `An item of \`${name}Connection\` with its cursor.`,
  })
  class EdgeType implements Edge<T> {
    @NonNull(() => String, 'Opaque; bound to the app and the filter of the list.') cursor: string;
    @NonNull(node) node: T;
  }

  @ObjectType(`${name}Connection`, {
    description: `A page of ${name} items, in the order of its list.`,
  })
  class ConnectionType implements Omit<Connection<T>, 'count'> {
    @NonNull(() => [EdgeType]) edges: EdgeType[];
    @NonNull(() => [node()], 'The items without their cursors.') nodes: T[];
    @NonNull(() => PageInfo) pageInfo: PageInfo;
  }

  @Resolver(() => ConnectionType)
  class ConnectionResolver {
    @FieldResolver(() => Int, {
      nullable: true,
      description: `How many items the whole list has: exact up to ${MAX_TOTAL}, null beyond. Counted only when selected.`,
    })
    totalCount(@Root() connection: Connection<T>): Promise<number | null> {
      return connection.count();
    }
  }
  connectionResolvers.push(ConnectionResolver);
  return ConnectionType;
}
