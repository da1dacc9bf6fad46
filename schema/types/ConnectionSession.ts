import { Field, ID, ObjectType } from 'type-graphql';
import type { SessionStatus } from '../../src/domain/connectionSession.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConnectionSessionStatus, ConsentPurpose } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({
  implements: Node,
  description: 'A short-lived invitation to a person to link their account and consent.',
})
export class ConnectionSession {
  @Field(() => ID)
  id: string;

  @Field(() => ID)
  appId: string;

  @Field(() => ID)
  customerId: string;

  @Field(() => ConnectionSessionStatus)
  status: SessionStatus;

  @Field(() => [ConsentPurpose])
  requestedPurposes: Purpose[];

  @Field(() => [ConsentPurpose], {
    nullable: true,
    description:
      'What the person approved, once authorized. A purpose withdrawn or revoked before it was recorded is no longer in it.',
  })
  approvedPurposes?: Purpose[] | null;

  @Field(() => DateTimeScalar)
  expiresAt: string;

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => ID, { nullable: true, description: 'The receipt that completed the session.' })
  consentReceiptId?: string | null;

  @Field(() => ID, { nullable: true, description: 'The linked user on the service side, once authorized.' })
  serviceUserId?: string | null;
}

export const ConnectionSessionConnection = connectionOf('ConnectionSession', () => ConnectionSession);

@ObjectType({ description: 'A new connection session with its link, which is shown only here.' })
export class CreateConnectionSessionPayload {
  @Field(() => ConnectionSession)
  session: ConnectionSession;

  @Field(() => String, { description: 'Single use.' })
  clientToken: string;

  @Field(() => String, { description: 'To be opened for the end user.' })
  connectionUrl: string;
}
