import { ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentAction, ConsentDecider, ConsentPurpose, RevocationReason } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';

@ObjectType({ description: "A decision in the app's hash-chained ledger of consent." })
export class ConsentDecision {
  @NonNull(() => ID, "Its number in the app's ledger.") id: string;
  @NonNull(() => ConsentAction, 'What was decided.') action: string;
  @NonNull(() => [ConsentPurpose], 'What it was decided about.') purposes: Purpose[];
  @NonNull(() => ID, 'The receipt that granted, or that the purposes were withdrawn from.') receiptId: string;
  @Nullable(() => RevocationReason, 'Of a withdrawal.') reason?: string | null;

  @Nullable(
    () => ConsentDecider,
    'The person, on the hosted pages; or the partner, through the API. Null in decisions from before it was kept.',
  )
  decidedBy?: string | null;

  @NonNull(() => DateTimeScalar, 'When it was decided.') decidedAt: string;
}

export const ConsentDecisionConnection = connectionOf('ConsentDecision', () => ConsentDecision);
