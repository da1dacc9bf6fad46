import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

export const workflowRoutes: readonly Route[] = [
  {
    operation: 'getWorkflow',
    method: 'GET',
    path: '/v1/workflows/:workflow_id',
    summary: 'Read the status of asynchronous work',
    field: 'workflow',
    select: '...Workflow',
  },
  {
    operation: 'listWorkflows',
    method: 'GET',
    path: '/v1/workflows',
    summary: 'List asynchronous work',
    field: 'workflows',
    select: pageOf('...Workflow'),
  },
];
