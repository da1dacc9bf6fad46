import type { GraphQLFormattedError } from 'graphql';
import type { Loaders } from '../loaders/Loaders.js';
import type { RequestServices } from '../Services.js';
import type { Caller } from './Caller.js';
import type { Charge } from './Charge.js';
import type { RejectedItem } from './inputShape.js';

/** One mutation as it was asked for: enough to run it once and to replay it. */
export interface CommandCall {
  operation: string;
  key: string;
  payloadHash: string;
  /** Batch items refused for their shape, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}

/** A root field whose caller, key and shape were checked in front of it. */
export interface DecidedCall {
  field: string;
  /** Of a mutation. */
  key: string;
  /** Batch items refused for their shape, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}

/** The request as resolvers see it. Each door makes one per request. */
export interface RequestContext {
  services: RequestServices;
  requestId: string;
  caller: Caller;
  loaders: Loaders;
  /** What the request was charged. */
  charge: Charge;
  outcome: {
    /** Whether the answer is that of an earlier request. */
    replayed: boolean;
    /** What was shown of the errors of a GraphQL operation. */
    errors?: readonly GraphQLFormattedError[];
  };
  /** What the door has decided of the root field that it runs. */
  decided?: DecidedCall;
  /** Set by the guard for the mutation field that runs. */
  command?: CommandCall;
}
