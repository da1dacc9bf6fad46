import { Arg, Args, Ctx, ID, Resolver } from 'type-graphql';
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
import { NonNullQuery, NullableQuery, Optional } from './fields.js';

@Resolver(() => Workflow)
export class WorkflowResolver {
  @NullableQuery(() => Workflow, 'Asynchronous work and how far it has come.')
  @RequiresScopes(['workflows:read'])
  async workflow(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Workflow> {
    return found(await loadWorkflow(context, id), 'workflow');
  }

  @NonNullQuery(
    () => WorkflowConnection,
    'Workflows of the app that meet every filter given, in the order asked for.',
  )
  @RequiresScopes(['workflows:read'])
  workflows(
    @Optional('type', () => WorkflowType, 'What the workflow does.')
    type: string | undefined,
    @Optional('status', () => WorkflowStatus, 'How far the workflow has come.')
    status: string | undefined,
    @Optional('order', () => ListOrderType, 'By default newest first.')
    order: ListOrder | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<Workflow>> {
    return listWorkflows(context, given({ type, status }), { ...page, order });
  }
}
