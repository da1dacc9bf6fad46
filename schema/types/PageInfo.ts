import { ObjectType } from 'type-graphql';
import { NonNull, Nullable } from '../fields.js';

/** The position of a page in its list (Relay Cursor Connections). */
@ObjectType({ description: 'Where a page of a list lies (Relay Cursor Connections).' })
export class PageInfo {
  @NonNull(() => Boolean, 'Whether more items follow.') hasNextPage: boolean;
  @NonNull(() => Boolean, 'Always false: lists are read forward.') hasPreviousPage: boolean;
  @Nullable(() => String, 'Cursor of the first item.') startCursor?: string | null;
  @Nullable(() => String, 'Cursor of the last item.') endCursor?: string | null;

  @Nullable(() => String, 'Cursor that leads to the next page; null on the last one.')
  nextCursor?: string | null;
}
