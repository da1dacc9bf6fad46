import { Arg, Args, Ctx, ID, Resolver } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { ConsentPurpose, EventStatus, ListOrder as ListOrderType } from '../schema/enums.js';
import type { ListOrder } from '../src/domain/listOrder.js';
import { IngestEventInput, IngestEventsInput } from '../schema/inputs/EventInput.js';
import { Event, EventConnection, IngestEventPayload, IngestEventsPayload } from '../schema/types/Event.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { runCommand } from '../src/commands/runCommand.js';
import { INGEST_EVENT, ingestEvents } from '../src/commands/ingestEvents.js';
import { runGrouped } from '../src/commands/runGrouped.js';
import type { Purpose } from '../src/domain/purposes.js';
import { listEvents } from '../src/loaders/listEvents.js';
import { loadEvent } from '../src/loaders/loadEvent.js';
import { found } from './found.js';
import { given } from './given.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableQuery, Optional } from './fields.js';

@Resolver(() => Event)
export class EventResolver {
  @NullableQuery(() => Event, 'An event by its id, and what has become of it.')
  @RequiresScopes(['events:read'])
  async event(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Event> {
    return found(await loadEvent(context, id), 'event');
  }

  @NonNullQuery(
    () => EventConnection,
    'Events of the app that meet every filter given, in the order asked for. Of events whose purpose was closed only what `Event` says is given out, whatever the filter.',
  )
  @RequiresScopes(['events:read'])
  events(
    @Optional('customerId', () => ID, 'Events of one customer; an unknown one has none.')
    customerId: string | undefined,
    @Optional('status', () => EventStatus, 'What has become of the event.')
    status: string | undefined,
    @Optional(
      'consentPurpose',
      () => ConsentPurpose,
      'The purpose under which the event was sent, open or closed.',
    )
    consentPurpose: Purpose | undefined,
    @Optional('order', () => ListOrderType, 'By default newest first.')
    order: ListOrder | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<Event>> {
    return listEvents(context, given({ customerId, status, consentPurpose }), { ...page, order });
  }

  @Command(
    () => IngestEventPayload,
    'Accepts one event: durable when this answers, processed soon after, in order.',
  )
  @RequiresScopes(['events:write'])
  ingestEvent(
    @Arg('input', () => IngestEventInput) input: IngestEventInput,
    @Ctx() context: RequestContext,
  ): Promise<IngestEventPayload> {
    return runGrouped(context, INGEST_EVENT, input);
  }

  @Command(() => IngestEventsPayload, 'Accepts up to 500 events, each on its own, in order.')
  @RequiresScopes(['events:write'])
  ingestEvents(
    @Arg('input', () => IngestEventsInput) input: IngestEventsInput,
    @Ctx() context: RequestContext,
  ): Promise<IngestEventsPayload> {
    return runCommand(context, (tx, command) => ingestEvents(tx, command, input));
  }
}
