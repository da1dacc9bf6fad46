import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { ConsentPurpose } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';

@ObjectType({ description: 'A level at a time.' })
export class LevelAt {
  @Field(() => DateTimeScalar, { description: 'Start of the step; the level is that of its end, or of now.' })
  at: string;

  @Field(() => Int)
  count: number;
}

@ObjectType({ description: 'How many customers have granted a purpose.' })
export class PurposeCustomers {
  @Field(() => ConsentPurpose)
  purpose: Purpose;

  @Field(() => Int, { description: 'Now: a customer leaves with the withdrawal.' })
  customers: number;

  @Field(() => [LevelAt], { description: 'Over the window, oldest first.' })
  series: LevelAt[];
}

@ObjectType({ description: 'Customers and what they consent to.' })
export class ConsentOverview {
  @Field(() => Int, { description: 'All customers of the app, now.' })
  customers: number;

  @Field(() => [PurposeCustomers], {
    description: 'Every purpose that the app is allowed, in the order of the vocabulary.',
  })
  purposes: PurposeCustomers[];
}

@ObjectType({ description: 'What became of items within a step of the window.' })
export class ItemFlowAt {
  @Field(() => DateTimeScalar, { description: 'Start of the step.' })
  at: string;

  @Field(() => Int)
  accepted: number;

  @Field(() => Int)
  applied: number;

  @Field(() => Int)
  refused: number;

  @Field(() => Int)
  failed: number;
}

@ObjectType({ description: 'What became of events or claims within the window.' })
export class ItemFlow {
  @Field(() => Int, { description: 'Made durable.' })
  accepted: number;

  @Field(() => Int, { description: 'Processed, or taken into the profile.' })
  applied: number;

  @Field(() => Int, { description: 'Accepted, then rejected because consent was withdrawn meanwhile.' })
  refused: number;

  @Field(() => Int, { description: 'Given up after the last retry.' })
  failed: number;

  @Field(() => [ItemFlowAt], { description: 'Oldest first.' })
  series: ItemFlowAt[];
}

@ObjectType({ description: 'The flow of events and claims within the window.' })
export class IngestOverview {
  @Field(() => ItemFlow)
  events: ItemFlow;

  @Field(() => ItemFlow)
  claims: ItemFlow;
}

@ObjectType({ description: 'Facts whose confidence is at least `from` and below `to`.' })
export class ConfidenceBucket {
  @Field(() => Float)
  from: number;

  @Field(() => Float, { description: 'Included in the last bucket, where it is 1.' })
  to: number;

  @Field(() => Int)
  facts: number;
}

@ObjectType({ description: 'The facts that can be read under a purpose now.' })
export class PurposeFacts {
  @Field(() => ConsentPurpose)
  purpose: Purpose;

  @Field(() => Int)
  facts: number;

  @Field(() => [ConfidenceBucket], { description: 'Ten, from 0 to 1.' })
  buckets: ConfidenceBucket[];
}

@ObjectType({ description: 'Facts by purpose and confidence, now. Withdrawn ones do not count.' })
export class FactsOverview {
  @Field(() => Int, { description: 'Of all purposes that the app is allowed.' })
  facts: number;

  @Field(() => [PurposeFacts], {
    description: 'Every purpose that the app is allowed, in the order of the vocabulary.',
  })
  purposes: PurposeFacts[];
}

@ObjectType({ description: 'Deliveries that ended within a step of the window.' })
export class DeliveriesAt {
  @Field(() => DateTimeScalar, { description: 'Start of the step.' })
  at: string;

  @Field(() => Int)
  delivered: number;

  @Field(() => Int)
  failed: number;

  @Field(() => Int)
  dropped: number;
}

@ObjectType({ description: 'How webhooks fare.' })
export class DeliveryOverview {
  @Field(() => Int, { description: 'Within the window.' })
  delivered: number;

  @Field(() => Int, { description: 'Given up within the window.' })
  failed: number;

  @Field(() => Int, {
    description: 'Not sent because consent was withdrawn or the customer erased, within the window.',
  })
  dropped: number;

  @Field(() => Int, { nullable: true, description: 'Waiting now; exact up to 10,000, null beyond.' })
  pending?: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the oldest change that still waits happened.',
  })
  oldestPendingAt?: string | null;

  @Field(() => Int, { description: 'Endpoints that are sent to, those that fail at the moment included.' })
  activeEndpoints: number;

  @Field(() => Int, { description: 'Active endpoints whose last attempt failed.' })
  failingEndpoints: number;

  @Field(() => Int)
  disabledEndpoints: number;

  @Field(() => [DeliveriesAt], { description: 'Oldest first.' })
  series: DeliveriesAt[];
}

@ObjectType({ description: "The app's requests within a step of the window." })
export class RequestsAt {
  @Field(() => DateTimeScalar, { description: 'Start of the step.' })
  at: string;

  @Field(() => Int)
  requests: number;

  @Field(() => Int)
  refused: number;

  @Field(() => Int)
  failed: number;

  @Field(() => Float, { nullable: true })
  p50Ms?: number | null;

  @Field(() => Float, { nullable: true })
  p99Ms?: number | null;
}

@ObjectType({
  description:
    "The app's requests through both doors, counted whole (also those that the log leaves out), some seconds late.",
})
export class RequestOverview {
  @Field(() => Int)
  requests: number;

  @Field(() => Int, { description: 'Answered 4xx, or 200 by GraphQL with a refusal in `errors`.' })
  refused: number;

  @Field(() => Int, {
    description: 'Answered 5xx, or 200 by GraphQL with a fault of the service in `errors`.',
  })
  failed: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Median duration in milliseconds, at most 19 % too long; null without requests.',
  })
  p50Ms?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'The duration that 99 of 100 requests stay within; as `p50Ms`.',
  })
  p99Ms?: number | null;

  @Field(() => [RequestsAt], { description: 'Oldest first.' })
  series: RequestsAt[];
}

@ObjectType({ description: 'Numbers of the app over a window. Each part needs the scope of what it counts.' })
export class Overview {
  @Field(() => DateTimeScalar, { description: 'Start of the window, on a whole step (UTC).' })
  from: string;

  @Field(() => DateTimeScalar, { description: 'Now.' })
  to: string;

  @Field(() => Int, { description: 'Length of a step of every series, in seconds.' })
  stepSeconds: number;
}
