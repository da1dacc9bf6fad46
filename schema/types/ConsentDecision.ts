import { Field, ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentAction, ConsentDecider, ConsentPurpose, RevocationReason } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';

@ObjectType({ description: "A decision in the app's hash-chained ledger of consent." })
export class ConsentDecision {
  @Field(() => ID, { description: "Its number in the app's ledger." })
  id: string;

  @Field(() => ConsentAction)
  action: string;

  @Field(() => [ConsentPurpose])
  purposes: Purpose[];

  @Field(() => ID, { description: 'The receipt that granted, or that the purposes were withdrawn from.' })
  receiptId: string;

  @Field(() => RevocationReason, { nullable: true, description: 'Of a withdrawal.' })
  reason?: string | null;

  @Field(() => ConsentDecider, {
    nullable: true,
    description:
      'The person, on the hosted pages; or the partner, through the API. Null in decisions from before it was kept.',
  })
  decidedBy?: string | null;

  @Field(() => DateTimeScalar)
  decidedAt: string;
}

export const ConsentDecisionConnection = connectionOf('ConsentDecision', () => ConsentDecision);
