import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { RequiresScopes } from '../schema/directives.js';
import { IngestEventInput, IngestEventsInput } from '../schema/inputs/EventInput.js';
import { Event, IngestEventPayload, IngestEventsPayload } from '../schema/types/Event.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { runCommand } from '../src/commands/idempotency.js';
import { ingestEvent, ingestEvents } from '../src/commands/ingestEvents.js';
import { loadEvent } from '../src/loaders/loadEvent.js';
import { found } from './found.js';
import { IdempotencyKey } from './IdempotencyKey.js';

@Resolver(() => Event)
export class EventResolver {
  @Query(() => Event, { nullable: true })
  @RequiresScopes(['events:read'])
  async event(@Arg('id', () => ID) id: string, @Ctx() { loaders }: RequestContext): Promise<Event> {
    return found(await loadEvent(loaders, id), 'event');
  }

  @Mutation(() => IngestEventPayload, {
    nullable: true,
    description: 'Accepts one event: durable when this answers, processed soon after, in order.',
  })
  @RequiresScopes(['events:write'])
  ingestEvent(
    @Arg('input', () => IngestEventInput) input: IngestEventInput,
    @IdempotencyKey() _key: string,
    @Ctx() context: RequestContext,
  ): Promise<IngestEventPayload> {
    return runCommand(context, (tx, command) => ingestEvent(tx, command, input));
  }

  @Mutation(() => IngestEventsPayload, {
    nullable: true,
    description: 'Accepts up to 500 events, each on its own, in order.',
  })
  @RequiresScopes(['events:write'])
  ingestEvents(
    @Arg('input', () => IngestEventsInput) input: IngestEventsInput,
    @IdempotencyKey() _key: string,
    @Ctx() context: RequestContext,
  ): Promise<IngestEventsPayload> {
    return runCommand(context, (tx, command) => ingestEvents(tx, command, input));
  }
}
