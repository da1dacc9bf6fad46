import type { Connection } from '../../schema/connection.js';
import type { Workflow } from '../../schema/types/Workflow.js';
import { toWorkflow, WORKFLOW_COLUMNS } from '../../entities/WorkflowEntity.js';
import type { WorkflowRow } from '../../entities/WorkflowEntity.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { WORKFLOW_STATUSES, WORKFLOW_TYPES } from '../domain/workflows.js';
import { PageWindow, scopeOf } from './page.js';
import type { OrderedPageRequest, OrderedWindow } from './page.js';
import { Statement } from './Statement.js';

export interface WorkflowFilter {
  type?: string | undefined;
  status?: string | undefined;
}

/** Workflows, newest first by default. */
export async function listWorkflows(
  context: ReadScope,
  filter: WorkflowFilter,
  request: OrderedPageRequest,
): Promise<Connection<Workflow>> {
  const { services, appId } = context;
  const scope = scopeOf(appId, 'workflows', filter, request.order);
  const page = new PageWindow(services.secrets, scope, request);
  const statement = new Statement('workflows_page', appId);
  const query = statement.query(pageOf(statement, filter, page.inOrder(request.order)));
  const rows = await services.database.readAs<WorkflowRow>(appId, query, statement.values);
  const read = (row: WorkflowRow) => ({ position: row.workflow_id, node: toWorkflow(row) });
  return page.toPage(rows, read, countOf(context, filter));
}

/** Reads each type and status by its index, then merges; without a filter, by the order of ids. */
function pageOf(
  statement: Statement,
  filter: WorkflowFilter,
  { after, limit, direction, beyond }: OrderedWindow,
): string {
  const most = `${statement.bind(limit)}::integer`;
  const start = after === null ? '' : `AND w.workflow_id ${beyond} ${statement.bind(after)}`;
  if (filter.type === undefined && filter.status === undefined)
    return `SELECT ${WORKFLOW_COLUMNS} FROM workflows w WHERE w.app_id = $1 ${start}
      ORDER BY w.workflow_id ${direction} LIMIT ${most}`;
  const { types, statuses } = conditions(statement, filter);
  // An array, which the planner assumes to be short. For a join it assumes any number of rows in the page.
  return `SELECT ${WORKFLOW_COLUMNS} FROM workflows WHERE app_id = $1 AND workflow_id = ANY (ARRAY(
      SELECT k.id FROM unnest(${types}) t (type) CROSS JOIN unnest(${statuses}) s (status)
        CROSS JOIN LATERAL (
        SELECT w.workflow_id AS id FROM workflows w
         WHERE w.app_id = $1 AND w.type = t.type AND w.status = s.status ${start}
           ORDER BY w.workflow_id ${direction} LIMIT ${most}) k
       ORDER BY k.id ${direction} LIMIT ${most}))
     ORDER BY workflow_id ${direction}`;
}

function conditions(
  statement: Statement,
  { type, status }: WorkflowFilter,
): { types: string; statuses: string } {
  return {
    types: `${statement.bind(type === undefined ? WORKFLOW_TYPES : [type])}::text[]`,
    statuses: `${statement.bind(status === undefined ? WORKFLOW_STATUSES : [status])}::text[]`,
  };
}

function countOf(context: ReadScope, filter: WorkflowFilter): () => Promise<number | null> {
  const statement = new Statement('workflows', context.appId);
  const { types, statuses } = conditions(statement, filter);
  const text = `SELECT FROM workflows WHERE app_id = $1 AND type = ANY (${types})
    AND status = ANY (${statuses})`;
  return countUpTo(context, statement.query(text), statement.values);
}
