import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { RequiresScopes } from '../schema/directives.js';
import { CreateConnectionSessionInput } from '../schema/inputs/ConnectionSessionInput.js';
import { ConnectionSession, CreateConnectionSessionPayload } from '../schema/types/ConnectionSession.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { cancelConnectionSession } from '../src/commands/cancelConnectionSession.js';
import { createConnectionSession } from '../src/commands/createConnectionSession.js';
import { runCommand } from '../src/commands/idempotency.js';
import { loadConnectionSession } from '../src/loaders/loadConnectionSessions.js';
import { found } from './found.js';
import { IdempotencyKey } from './IdempotencyKey.js';

@Resolver(() => ConnectionSession)
export class ConnectionSessionResolver {
  @Query(() => ConnectionSession, { nullable: true })
  @RequiresScopes(['connections:read'])
  async connectionSession(
    @Arg('id', () => ID) id: string,
    @Ctx() { loaders }: RequestContext,
  ): Promise<ConnectionSession> {
    return found(await loadConnectionSession(loaders, id), 'connection session');
  }

  @Mutation(() => CreateConnectionSessionPayload, {
    nullable: true,
    description: 'Begins a connection session; its link is shown once.',
  })
  @RequiresScopes(['connections:write'])
  createConnectionSession(
    @Arg('input', () => CreateConnectionSessionInput) input: CreateConnectionSessionInput,
    @IdempotencyKey() _key: string,
    @Ctx() context: RequestContext,
  ): Promise<CreateConnectionSessionPayload> {
    const { baseUrl } = context.services.config;
    return runCommand(context, (tx, command) => createConnectionSession(tx, { ...command, baseUrl }, input), {
      secret: true,
      customerOf: ({ session }) => session.customerId,
    });
  }

  @Mutation(() => ConnectionSession, {
    nullable: true,
    description: 'Ends a connection session; one that has ended already is given back as it is.',
  })
  @RequiresScopes(['connections:write'])
  cancelConnectionSession(
    @Arg('id', () => ID) id: string,
    @IdempotencyKey() _key: string,
    @Ctx() context: RequestContext,
  ): Promise<ConnectionSession> {
    return runCommand(context, (tx, command) => cancelConnectionSession(tx, command, { id }));
  }
}
