import { Float, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';

@ObjectType({
  description: 'A request and how it was answered. Bodies, queries, variables and addresses are not kept.',
})
export class RequestLogEntry {
  @NonNull(() => ID, 'Identifies the entry of the log.') id: string;
  @NonNull(() => String, 'The `X-Request-Id` of the answer.') requestId: string;
  @NonNull(() => DateTimeScalar, 'When the request came in.') receivedAt: string;
  @NonNull(() => String, 'The HTTP method.') method: string;
  @NonNull(() => String, 'The pattern of the path, such as `/v1/customers/{customer_id}`.') route: string;

  @Nullable(() => String, 'Of GraphQL the root fields, comma-separated; at most 200 characters.')
  operation?: string | null;

  @NonNull(() => Int, 'The HTTP status; 499 when the client closed the connection before the answer.')
  status: number;

  @Nullable(() => String, 'The first error code of a refused or failed request.') code?: string | null;

  @NonNull(() => Float, 'From the first byte of the request to the end of the answer, in milliseconds.')
  durationMs: number;
}

export const RequestLogEntryConnection = connectionOf('RequestLogEntry', () => RequestLogEntry);
