import { ArgsType, Int } from 'type-graphql';
import { Nullable } from './fields.js';

/** The arguments of every list. */
@ArgsType()
export class PageArgs {
  @Nullable(() => Int) first?: number | null;
  @Nullable(() => String) after?: string | null;
}
