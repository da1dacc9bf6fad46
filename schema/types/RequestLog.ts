import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.js';
import { DateTimeScalar } from '../scalars.js';

@ObjectType({
  description: 'A request and how it was answered. Bodies, queries, variables and addresses are not kept.',
})
export class RequestLogEntry {
  @Field(() => ID)
  id: string;

  @Field(() => String, { description: 'The `X-Request-Id` of the answer.' })
  requestId: string;

  @Field(() => DateTimeScalar)
  receivedAt: string;

  @Field(() => String)
  method: string;

  @Field(() => String, { description: 'The pattern of the path, such as `/v1/customers/{customer_id}`.' })
  route: string;

  @Field(() => String, {
    nullable: true,
    description: 'Of GraphQL the root fields, comma-separated; at most 200 characters.',
  })
  operation?: string | null;

  @Field(() => Int, { description: 'The HTTP status.' })
  status: number;

  @Field(() => String, {
    nullable: true,
    description: 'The first error code of a refused or failed request.',
  })
  code?: string | null;

  @Field(() => Float, {
    description: 'From the first byte of the request to the end of the answer, in milliseconds.',
  })
  durationMs: number;
}

export const RequestLogEntryConnection = connectionOf('RequestLogEntry', () => RequestLogEntry);
