import { ArgsType, Field, Int } from 'type-graphql';

/** The arguments of every list. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true })
  first?: number | null;

  @Field(() => String, { nullable: true })
  after?: string | null;
}
