import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { RequiresScopes } from '../schema/directives.js';
import { Workflow } from '../schema/types/Workflow.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { loadWorkflow } from '../src/loaders/loadWorkflow.js';
import { found } from './found.js';

@Resolver(() => Workflow)
export class WorkflowResolver {
  @Query(() => Workflow, { nullable: true, description: 'Asynchronous work and how far it has come.' })
  @RequiresScopes(['workflows:read'])
  async workflow(@Arg('id', () => ID) id: string, @Ctx() { loaders }: RequestContext): Promise<Workflow> {
    return found(await loadWorkflow(loaders, id), 'workflow');
  }
}
