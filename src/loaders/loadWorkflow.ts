import type { Workflow } from '../../schema/types/Workflow.js';
import { toWorkflow, WORKFLOW_COLUMNS } from '../../entities/WorkflowEntity.js';
import type { WorkflowRow } from '../../entities/WorkflowEntity.js';
import type { ReadScope } from './ReadScope.js';

const BY_ID = {
  name: 'workflow_by_id',
  text: `SELECT ${WORKFLOW_COLUMNS} FROM workflows WHERE app_id = $1 AND workflow_id = $2`,
};

export async function loadWorkflow(
  { services, appId }: ReadScope,
  id: string,
): Promise<Workflow | undefined> {
  const [row] = await services.database.readAs<WorkflowRow>(appId, BY_ID, [appId, id]);
  return row === undefined ? undefined : toWorkflow(row);
}
