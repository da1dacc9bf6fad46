import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { WorkflowStatus, WorkflowType, ListOrder as ListOrderType } from '../schema/enums.js';
import type { ListOrder } from '../src/domain/listOrder.js';
import { Workflow, WorkflowConnection } from '../schema/types/Workflow.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { listWorkflows } from '../src/loaders/listWorkflows.js';
import { loadWorkflow } from '../src/loaders/loadWorkflow.js';
import { found } from './found.js';
import { given } from './given.js';

@Resolver(() => Workflow)
export class WorkflowResolver {
  @Query(() => Workflow, { nullable: true, description: 'Asynchronous work and how far it has come.' })
  @RequiresScopes(['workflows:read'])
  async workflow(@Arg('id', () => ID) id: string, @Ctx() { loaders }: RequestContext): Promise<Workflow> {
    return found(await loadWorkflow(loaders, id), 'workflow');
  }

  @Query(() => WorkflowConnection, {
    description: 'Workflows of the app that meet every filter given, in the order asked for.',
  })
  @RequiresScopes(['workflows:read'])
  workflows(
    @Arg('type', () => WorkflowType, { nullable: true, description: 'What the workflow does.' })
    type: string | undefined,
    @Arg('status', () => WorkflowStatus, { nullable: true, description: 'How far the workflow has come.' })
    status: string | undefined,
    @Arg('order', () => ListOrderType, { nullable: true, description: 'By default newest first.' })
    order: ListOrder | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { loaders }: RequestContext,
  ): Promise<Connection<Workflow>> {
    return listWorkflows(loaders, given({ type, status }), { ...page, order });
  }
}
