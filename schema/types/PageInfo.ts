import { Field, ObjectType } from 'type-graphql';

/** Where a page of a list lies (Relay Cursor Connections). */
@ObjectType({ description: 'Where a page of a list lies (Relay Cursor Connections).' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether older items follow.' })
  hasNextPage: boolean;

  @Field(() => Boolean, { description: 'Always false: lists are read forward, newest first.' })
  hasPreviousPage: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item.' })
  startCursor?: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item.' })
  endCursor?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor that leads to the next page; null on the last one.',
  })
  nextCursor?: string | null;
}
