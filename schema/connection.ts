import type { ClassType } from 'type-graphql';
import { Field, ObjectType } from 'type-graphql';
import type { StoredText } from '../src/documents/StoredText.js';
import { PageInfo } from './types/PageInfo.js';

export interface Edge<T> {
  cursor: string;
  node: T;
}

/** One page of a list, newest first. */
export interface Connection<T> {
  edges: Edge<T>[];
  nodes: T[] | StoredText;
  pageInfo: PageInfo;
}

/** The Relay connection and edge types of a node type, named `<Name>Connection` and `<Name>Edge`. */
export function connectionOf<T extends object>(name: string, node: () => ClassType<T>): ClassType<Connection<T>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `An item of a ${name}Connection with its cursor.` })
  class EdgeType implements Edge<T> {
    @Field(() => String, { description: 'Opaque; bound to the app and the filter of the list.' })
    cursor: string;

    @Field(node)
    node: T;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${name} items, newest first.` })
  class ConnectionType implements Connection<T> {
    @Field(() => [EdgeType])
    edges: EdgeType[];

    @Field(() => [node()], { description: 'The items without their cursors.' })
    nodes: T[];

    @Field(() => PageInfo)
    pageInfo: PageInfo;
  }
  return ConnectionType;
}
