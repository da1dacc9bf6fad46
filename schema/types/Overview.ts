import { Float, Int, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';

@ObjectType({ description: 'A level at a time.' })
export class LevelAt {
  @NonNull(() => DateTimeScalar, 'Start of the step; the level is that of its end, or of now.') at: string;
  @NonNull(() => Int, 'How many there were at the end of the step.') count: number;
}

@ObjectType({ description: 'How many customers have granted a purpose.' })
export class PurposeCustomers {
  @NonNull(() => ConsentPurpose) purpose: Purpose;
  @NonNull(() => Int, 'Now: a customer leaves with the withdrawal.') customers: number;
  @NonNull(() => [LevelAt], 'Over the window, oldest first.') series: LevelAt[];
}

@ObjectType({ description: 'Customers and what they consent to.' })
export class ConsentOverview {
  @NonNull(() => Int, 'All customers of the app, now.') customers: number;

  @NonNull(() => [PurposeCustomers], 'Every purpose that the app is allowed, in the order of the vocabulary.')
  purposes: PurposeCustomers[];
}

@ObjectType({ description: 'What became of items within a step of the window.' })
export class ItemFlowAt {
  @NonNull(() => DateTimeScalar, 'Start of the step.') at: string;
  @NonNull(() => Int, 'Accepted within the step.') accepted: number;
  @NonNull(() => Int, 'How many were applied.') applied: number;
  @NonNull(() => Int, 'Refused within the step.') refused: number;
  @NonNull(() => Int, 'Given up within the step.') failed: number;
}

@ObjectType({ description: 'What became of events or claims within the window.' })
export class ItemFlow {
  @NonNull(() => Int, 'Made durable.') accepted: number;
  @NonNull(() => Int, 'Processed, or taken into the profile.') applied: number;
  @NonNull(() => Int, 'Accepted, then rejected because consent was withdrawn meanwhile.') refused: number;
  @NonNull(() => Int, 'Given up after the last retry.') failed: number;
  @NonNull(() => [ItemFlowAt], 'Oldest first.') series: ItemFlowAt[];
}

@ObjectType({ description: 'The flow of events and claims within the window.' })
export class IngestOverview {
  @NonNull(() => ItemFlow, 'Events that came in.') events: ItemFlow;
  @NonNull(() => ItemFlow, 'Claims that came in.') claims: ItemFlow;
}

@ObjectType({ description: 'Facts whose confidence is at least `from` and below `to`.' })
export class ConfidenceBucket {
  @NonNull(() => Float, 'The least confidence of the bucket.') from: number;
  @NonNull(() => Float, 'Included in the last bucket, where it is 1.') to: number;
  @NonNull(() => Int, 'How many facts have a confidence in this bucket.') facts: number;
}

@ObjectType({ description: 'The facts that can be read under a purpose now.' })
export class PurposeFacts {
  @NonNull(() => ConsentPurpose) purpose: Purpose;
  @NonNull(() => Int, 'How many facts of the purpose there are.') facts: number;
  @NonNull(() => [ConfidenceBucket], 'Ten, from 0 to 1.') buckets: ConfidenceBucket[];
}

@ObjectType({ description: 'Facts by purpose and confidence, now. Withdrawn ones do not count.' })
export class FactsOverview {
  @NonNull(() => Int, 'Of all purposes that the app is allowed.') facts: number;

  @NonNull(() => [PurposeFacts], 'Every purpose that the app is allowed, in the order of the vocabulary.')
  purposes: PurposeFacts[];
}

@ObjectType({ description: 'Deliveries that ended within a step of the window.' })
export class DeliveriesAt {
  @NonNull(() => DateTimeScalar, 'Start of the step.') at: string;
  @NonNull(() => Int, 'Delivered within the step.') delivered: number;
  @NonNull(() => Int, 'Given up within the step.') failed: number;
  @NonNull(() => Int, 'Dropped within the step.') dropped: number;
}

@ObjectType({ description: 'How webhooks fare.' })
export class DeliveryOverview {
  @NonNull(() => Int, 'Within the window.') delivered: number;
  @NonNull(() => Int, 'Given up within the window.') failed: number;

  @NonNull(() => Int, 'Not sent because consent was withdrawn or the customer erased, within the window.')
  dropped: number;

  @Nullable(() => Int, 'Waiting now; exact up to 10,000, null beyond.') pending?: number | null;

  @Nullable(() => DateTimeScalar, 'When the oldest change that still waits happened.')
  oldestPendingAt?: string | null;

  @NonNull(() => Int, 'Endpoints that are sent to, those that fail at the moment included.')
  activeEndpoints: number;

  @NonNull(() => Int, 'Active endpoints whose last attempt failed.') failingEndpoints: number;
  @NonNull(() => Int, 'Endpoints to which nothing is sent.') disabledEndpoints: number;
  @NonNull(() => [DeliveriesAt], 'Oldest first.') series: DeliveriesAt[];
}

@ObjectType({ description: "The app's requests within a step of the window." })
export class RequestsAt {
  @NonNull(() => DateTimeScalar, 'Start of the step.') at: string;
  @NonNull(() => Int, 'All requests within the step.') requests: number;
  @NonNull(() => Int, 'Refused within the step.') refused: number;
  @NonNull(() => Int, 'Answered with a fault of the service within the step.') failed: number;
  @Nullable(() => Float, 'Median duration in milliseconds; null without requests.') p50Ms?: number | null;

  @Nullable(() => Float, 'The duration that 99 of 100 requests stay within, in milliseconds.')
  p99Ms?: number | null;
}

@ObjectType({
  description:
    "The app's requests through both doors, counted whole (also those that the log leaves out), some seconds late.",
})
export class RequestOverview {
  @NonNull(() => Int, 'All requests of the app within the window.') requests: number;
  @NonNull(
    () => Int,
    'Answered 4xx, or 200 by GraphQL with a refusal in `errors`; also those whose client did not wait.',
  )
  refused: number;

  @NonNull(() => Int, 'Answered 5xx, or 200 by GraphQL with a fault of the service in `errors`.')
  failed: number;

  @Nullable(() => Float, 'Median duration in milliseconds, at most 19 % too long; null without requests.')
  p50Ms?: number | null;

  @Nullable(() => Float, 'The duration that 99 of 100 requests stay within; as `p50Ms`.')
  p99Ms?: number | null;

  @NonNull(() => [RequestsAt], 'Oldest first.') series: RequestsAt[];
}

@ObjectType({ description: 'Numbers of the app over a window. Each part needs the scope of what it counts.' })
export class Overview {
  @NonNull(() => DateTimeScalar, 'Start of the window, on a whole step (UTC).') from: string;
  @NonNull(() => DateTimeScalar, 'Now.') to: string;
  @NonNull(() => Int, 'Length of a step of every series, in seconds.') stepSeconds: number;
}
