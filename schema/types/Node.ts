import { Field, ID, InterfaceType } from 'type-graphql';

@InterfaceType({
  description: 'A resource that `Query.node` reads again by its id (Relay Global Object Identification).',
  resolveType: ({ __typename: type }: { __typename: string }) => type,
})
export abstract class Node {
  @Field(() => ID, { description: 'Identifies the resource among all types. Opaque.' })
  id: string;
}
