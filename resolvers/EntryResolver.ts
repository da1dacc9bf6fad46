import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { CreateEntryInput, ReplaceEntryInput } from '../schema/inputs/EntryInput.js';
import { JsonObjectScalar } from '../schema/scalars.js';
import { Entry, EntryConnection, EntryPayload } from '../schema/types/Entry.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { createEntry } from '../src/commands/createEntry.js';
import { runCommand } from '../src/commands/runCommand.js';
import { replaceEntry } from '../src/commands/replaceEntry.js';
import { entryNodeId } from '../src/domain/nodeId.js';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { listEntries, loadEntry } from '../src/loaders/loadEntries.js';
import { found } from './found.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableQuery, Optional } from './fields.js';

@Resolver(() => Entry)
export class EntryResolver {
  @NullableQuery(() => Entry, 'A catalog entry by its id.')
  @RequiresScopes(['entries:read'])
  async entry(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Entry> {
    return found(await loadEntry(context, id), 'entry');
  }

  @NonNullQuery(() => EntryConnection, 'Entries, newest first; by equality on any fields of an ontology.')
  @RequiresScopes(['entries:read'])
  entries(
    @Optional('ontology', () => ID, 'Entries of one ontology only.') ontology: string | undefined,
    @Optional(
      'fields',
      () => JsonObjectScalar,
      'Values that fields of the ontology must equal, at most 10. Needs `ontology`.',
    )
    fields: JsonObject | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<Entry>> {
    return listEntries(context, ontology ?? undefined, fields ?? undefined, page);
  }

  @Command(() => EntryPayload, 'Creates or updates the entry of an id.')
  @RequiresScopes(['entries:write'])
  createEntry(
    @Arg('input', () => CreateEntryInput) input: CreateEntryInput,
    @Ctx() context: RequestContext,
  ): Promise<EntryPayload> {
    return runCommand(context, (tx, command) => createEntry(tx, command, input));
  }

  @Command(() => EntryPayload, 'Replaces an entry as a whole.')
  @RequiresScopes(['entries:write'])
  replaceEntry(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => ReplaceEntryInput) input: ReplaceEntryInput,
    @Ctx() context: RequestContext,
  ): Promise<EntryPayload> {
    return runCommand(context, (tx, command) => replaceEntry(tx, command, id, input));
  }
  @FieldResolver()
  id(@Root() { entryId }: Entry): string {
    return entryNodeId(entryId);
  }
}
