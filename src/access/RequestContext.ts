import type { GraphQLFormattedError } from 'graphql';
import type { ReadContext } from '../loaders/ReadScope.js';
import type { Caller } from './Caller.js';
import type { Charge } from './Charge.js';
import type { RejectedItem } from './inputShape.js';

/** The data of one mutation that is needed to run it once and to replay it. */
export interface CommandCall {
  operation: string;
  key: string;
  payloadHash: string;
  /** Batch items refused for their shape, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}

/** A root field whose caller, key and shape were already checked. */
export interface DecidedCall {
  field: string;
  /** Of a mutation. */
  key: string;
  /** Batch items refused for their shape, by index. */
  rejected: ReadonlyMap<number, RejectedItem>;
}

/** The request for resolvers. GraphQL and REST create one per request. */
export interface RequestContext extends ReadContext {
  requestId: string;
  caller: Caller;
  /** Identifies the caller anew, for a mutation of several fields. @throws ServiceError */
  identify?: () => Promise<Caller>;
  /** Whether a field of the mutation has begun: its caller's access may have ended meanwhile. */
  hasBegun?: boolean;
  /** What the request was charged. */
  charge: Charge;
  outcome: {
    /** Whether the answer replays an earlier one. */
    replayed: boolean;
    /** The errors of a GraphQL operation as shown to the client. */
    errors?: readonly GraphQLFormattedError[];
  };
  /** Places in the answer whose denial was counted. */
  denied?: Set<string>;
  /** The checks already made for the root field. */
  decided?: DecidedCall;
  /** Set by the guard for the running mutation field. */
  command?: CommandCall;
}
