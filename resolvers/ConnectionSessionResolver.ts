import { Arg, Args, Ctx, ID, Resolver } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { ConnectionSessionStatus, ListOrder as ListOrderType } from '../schema/enums.js';
import type { ListOrder } from '../src/domain/listOrder.js';
import { CreateConnectionSessionInput } from '../schema/inputs/ConnectionSessionInput.js';
import {
  ConnectionSession,
  ConnectionSessionConnection,
  CreateConnectionSessionPayload,
} from '../schema/types/ConnectionSession.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { cancelConnectionSession } from '../src/commands/cancelConnectionSession.js';
import { createConnectionSession } from '../src/commands/createConnectionSession.js';
import { runCommand } from '../src/commands/runCommand.js';
import type { SessionStatus } from '../src/domain/connectionSession.js';
import { listConnectionSessions } from '../src/loaders/listConnectionSessions.js';
import { loadConnectionSession } from '../src/loaders/loadConnectionSession.js';
import { found } from './found.js';
import { given } from './given.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableQuery, Optional } from './fields.js';

@Resolver(() => ConnectionSession)
export class ConnectionSessionResolver {
  @NullableQuery(
    () => ConnectionSession,
    'A connection session by its id: poll it until it is authorized, completed, expired or revoked.',
  )
  @RequiresScopes(['connections:read'])
  async connectionSession(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ConnectionSession> {
    return found(await loadConnectionSession(context, id), 'connection session');
  }

  @NonNullQuery(
    () => ConnectionSessionConnection,
    'Connection sessions of the app that meet every filter given, in the order asked for.',
  )
  @RequiresScopes(['connections:read'])
  connectionSessions(
    @Optional('customerId', () => ID, 'Sessions of one customer; an unknown one has none.')
    customerId: string | undefined,
    @Optional(
      'status',
      () => ConnectionSessionStatus,
      'As the session reads now: past `expiresAt` an open one is `EXPIRED`.',
    )
    status: SessionStatus | undefined,
    @Optional('order', () => ListOrderType, 'By default newest first.')
    order: ListOrder | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ConnectionSession>> {
    return listConnectionSessions(context, given({ customerId, status }), { ...page, order });
  }

  @Command(() => CreateConnectionSessionPayload, 'Begins a connection session; its link is shown once.')
  @RequiresScopes(['connections:write'])
  createConnectionSession(
    @Arg('input', () => CreateConnectionSessionInput) input: CreateConnectionSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateConnectionSessionPayload> {
    const { baseUrl } = context.services.config;
    return runCommand(context, (tx, command) => createConnectionSession(tx, { ...command, baseUrl }, input), {
      secret: true,
      customerOf: ({ session }) => session.customerId,
    });
  }

  @Command(
    () => ConnectionSession,
    'Ends a connection session; one that has ended already is given back as it is.',
  )
  @RequiresScopes(['connections:write'])
  cancelConnectionSession(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ConnectionSession> {
    return runCommand(context, (tx, command) => cancelConnectionSession(tx, command, id), {
      customerOf: ({ customerId }) => customerId,
    });
  }
}
