import { ID, ObjectType } from 'type-graphql';
import type { SessionStatus } from '../../src/domain/connectionSession.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConnectionSessionStatus, ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({
  implements: Node,
  description: 'A short-lived invitation to a person to link their account and consent.',
})
export class ConnectionSession {
  @NonNull(() => ID) id: string;
  @NonNull(() => ID) appId: string;
  @NonNull(() => ID) customerId: string;
  @NonNull(() => ConnectionSessionStatus) status: SessionStatus;
  @NonNull(() => [ConsentPurpose]) requestedPurposes: Purpose[];

  @Nullable(
    () => [ConsentPurpose],
    'What the person approved, once authorized. A purpose withdrawn or revoked before it was recorded is no longer in it.',
  )
  approvedPurposes?: Purpose[] | null;

  @NonNull(() => DateTimeScalar, 'When it ends.') expiresAt: string;
  @NonNull(() => DateTimeScalar) createdAt: string;
  @Nullable(() => ID, 'The receipt that completed the session.') consentReceiptId?: string | null;
  @Nullable(() => ID, 'The linked user on the service side, once authorized.') serviceUserId?: string | null;
}

export const ConnectionSessionConnection = connectionOf('ConnectionSession', () => ConnectionSession);

@ObjectType({ description: 'A new connection session with its link, which is shown only here.' })
export class CreateConnectionSessionPayload {
  @NonNull(() => ConnectionSession, 'The session.') session: ConnectionSession;
  @NonNull(() => String, 'Single use.') clientToken: string;
  @NonNull(() => String, 'To be opened for the end user.') connectionUrl: string;
}
