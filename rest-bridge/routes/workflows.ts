import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

export const workflowRoutes: readonly Route[] = [
  {
    operation: 'getWorkflow',
    method: 'GET',
    path: '/v1/workflows/:workflow_id',
    success: 200,
    summary: 'Read the status of asynchronous work',
    document: `query getWorkflow($workflow_id: ID!) {
      result: workflow(id: $workflow_id) { ...Workflow } }`,
  },
  {
    operation: 'listWorkflows',
    method: 'GET',
    path: '/v1/workflows',
    success: 200,
    summary: 'List asynchronous work',
    document: `query listWorkflows($type: WorkflowType, $status: WorkflowStatus, $order: ListOrder,
      $limit: Int, $cursor: String) {
      result: workflows(type: $type, status: $status, order: $order, first: $limit, after: $cursor) {
        data: nodes { ...Workflow } ${PAGINATION} } }`,
  },
];
