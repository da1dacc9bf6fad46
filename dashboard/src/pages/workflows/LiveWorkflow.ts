import { useLive } from '../../client/useLive.ts';
import { graphql } from '../../gql/index.ts';
import type { WorkflowStatus } from '../../gql/graphql.ts';

const CHANGED = graphql(`
  subscription WorkflowChanged($id: ID!) {
    workflowChanged(id: $id) {
      id
      status
      updatedAt
      error {
        code
        message
        field
      }
    }
  }
`);

/** Keeps a workflow up to date for as long as it runs. */
export function LiveWorkflow({ id, status }: { id: string; status: WorkflowStatus }): null {
  const isOpen = status === 'ACCEPTED' || status === 'RUNNING';
  useLive(CHANGED, { id }, { pause: !isOpen });
  return null;
}
