import { Arg, Args, Ctx, ID, Resolver } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { Admin, RequiresScopes } from '../schema/directives.js';
import { PutOntologyInput } from '../schema/inputs/OntologyInput.js';
import {
  Ontology,
  OntologyConnection,
  PutOntologyPayload,
  RebuildOntologyPayload,
} from '../schema/types/Ontology.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { runCommand } from '../src/commands/runCommand.js';
import { putOntology } from '../src/commands/putOntology.js';
import { rebuildOntology } from '../src/commands/rebuildOntology.js';
import { listOntologies, loadOntology } from '../src/loaders/loadOntologies.js';
import { found } from './found.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableQuery } from './fields.js';

@Resolver(() => Ontology)
export class OntologyResolver {
  @NullableQuery(() => Ontology, 'An ontology with its field map.')
  @RequiresScopes(['ontologies:read'])
  async ontology(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Ontology> {
    return found(await loadOntology(context, id), 'ontology');
  }

  @NonNullQuery(() => OntologyConnection, 'Ontologies that the app sees, newest first.')
  @RequiresScopes(['ontologies:read'])
  ontologies(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<Ontology>> {
    return listOntologies(context, page);
  }

  @Command(
    () => PutOntologyPayload,
    'Defines an ontology or its next version, which may add fields and relax them.',
  )
  @Admin()
  putOntology(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => PutOntologyInput) input: PutOntologyInput,
    @Ctx() context: RequestContext,
  ): Promise<PutOntologyPayload> {
    return runCommand(context, (tx, command) => putOntology(tx, command, id, input));
  }

  @Command(() => RebuildOntologyPayload, "Has the app's filter index of an ontology made anew.")
  @RequiresScopes(['ontologies:write'])
  rebuildOntology(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<RebuildOntologyPayload> {
    return runCommand(context, (tx, command) => rebuildOntology(tx, command, id));
  }
}
