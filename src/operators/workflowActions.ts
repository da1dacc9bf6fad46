import { allApps } from '../database/allApps.js';
import type { Row } from '../database/Row.js';
import { WORKFLOW_COLUMNS } from '../../entities/WorkflowEntity.js';
import { retryWorkflow } from '../commands/retryWorkflow.js';
import { WORKFLOW_STATUSES, WORKFLOW_TYPES } from '../domain/workflows.js';
import type { OperatorAction } from './OperatorAction.js';
import { PAGE_PARAMETERS, readPage } from './readPage.js';

const LIST = {
  name: 'operator_workflows',
  text: `SELECT ${WORKFLOW_COLUMNS} FROM workflows
          WHERE app_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR type = $3)
            AND ($4::text IS NULL OR workflow_id > $4) ORDER BY workflow_id LIMIT $5`,
};

export const workflowActions: readonly OperatorAction[] = [
  {
    words: 'workflows list',
    summary: 'Lists workflows, of one app or of all; those that failed unless another status is named.',
    method: 'GET',
    path: '/workflows',
    parameters: [
      { name: 'app', says: 'only those of this app' },
      { name: 'status', says: 'failed unless given', values: WORKFLOW_STATUSES },
      { name: 'type', says: 'only those', values: WORKFLOW_TYPES },
      ...PAGE_PARAMETERS,
    ],
    run({ database }, given) {
      const { app, status = 'failed', type = null } = given;
      return readPage(given, 'workflow_id', async (...window) => {
        const rows: Row[] = [];
        for (const appId of app === undefined ? await allApps(database) : [app])
          rows.push(...(await database.readAs(appId, LIST, [appId, status, type, ...window])));
        // Ids sort by time across all apps.
        return rows.toSorted((a, b) => (String(a['workflow_id']) < String(b['workflow_id']) ? -1 : 1));
      });
    },
  },
  {
    words: 'workflows retry',
    summary: 'Takes a failed workflow up again where it stopped.',
    method: 'POST',
    path: '/workflows/:workflow/retry',
    argument: 'workflow',
    parameters: [{ name: 'workflow', says: 'the id of a workflow', required: true }],
    async run({ database, clock }, { workflow = '' }) {
      const { type } = await retryWorkflow(database, workflow, clock());
      return { workflow_id: workflow, type, status: 'accepted' };
    },
    tell: ({ workflow_id: id, type }) =>
      `${String(id)} (${String(type)}) is accepted again; a worker will take it up.`,
  },
];
