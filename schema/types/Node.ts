import { ID, InterfaceType } from 'type-graphql';
import { NonNull } from '../fields.js';

@InterfaceType({
  description: 'A resource that `Query.node` reads again by its id (Relay Global Object Identification).',
  resolveType: ({ __typename: type }: { __typename: string }) => type,
})
export abstract class Node {
  @NonNull(() => ID, 'Identifies the resource among all types. Opaque.') id: string;
}
