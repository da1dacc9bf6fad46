import type { Route } from '../Route.js';

export const workflowRoutes: readonly Route[] = [
  {
    operation: 'getWorkflow',
    method: 'GET',
    path: '/v1/workflows/:workflow_id',
    success: 200,
    summary: 'Read the status of asynchronous work',
    document: `query getWorkflow($workflow_id: ID!) {
      result: workflow(id: $workflow_id) { id type status created_at: createdAt updated_at: updatedAt error { code message field } } }`,
  },
];
