import type { GraphQLFormattedError } from 'graphql';
import type { Loaders } from '../loaders/Loaders.js';
import type { Services } from '../Services.js';
import type { Caller } from './Caller.js';
import type { RateState } from './RateLimiter.js';
import type { InputShape, RejectedItem } from './inputShape.js';

/** One mutation as it was asked for: enough to run it once and to replay it. */
export interface CommandCall {
  operation: string;
  key: string;
  payloadHash: string;
  /** Batch items refused for their shape, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}

/** What resolvers know of the request. Made anew for every request, by whichever door. */
export interface RequestContext {
  services: Services;
  requestId: string;
  caller: Caller;
  loaders: Loaders;
  /** Facts for the response's headers, and what was counted against limits, by root field as the answer names it. */
  outcome: {
    replayed: boolean;
    /** What was shown of the errors of a GraphQL operation. */
    errors?: readonly GraphQLFormattedError[];
    rate?: RateState;
    charges?: Map<string | number, Promise<RateState | undefined>>;
  };
  /** The input's shape when the door has read it already. */
  inputShape?: InputShape;
  /** Set by the guard for the mutation field that runs. */
  command?: CommandCall;
}
