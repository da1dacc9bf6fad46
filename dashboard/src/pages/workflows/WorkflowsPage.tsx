import { usePolling } from '../../client/usePolling.ts';
import { useQuery } from '../../client/useQuery.ts';
import { Link } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { WorkflowStatus, WorkflowType } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Choice } from '../../ui/Choice.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { usePages } from '../../ui/usePages.ts';
import { useQueryState } from '../../ui/useQueryState.ts';
import { LiveWorkflow } from './LiveWorkflow.ts';
import { WorkflowState } from './WorkflowState.tsx';

const WORKFLOWS = graphql(`
  query Workflows($type: WorkflowType, $status: WorkflowStatus, $after: String) {
    workflows(type: $type, status: $status, first: 25, after: $after) {
      totalCount
      nodes {
        id
        type
        status
        createdAt
        updatedAt
        error {
          code
          message
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const TYPES: readonly WorkflowType[] = [
  'CONSENT_REVOCATION_CASCADE',
  'PROFILE_RECOMPUTE',
  'ONTOLOGY_FIELDS_REBUILD',
  'WEBHOOK_DELIVERY',
];
const STATUSES: readonly WorkflowStatus[] = ['ACCEPTED', 'RUNNING', 'COMPLETED', 'FAILED'];
const ANY = 'ANY';

/** Work in the background, and what is stuck. */
export default function WorkflowsPage() {
  const { workflows: texts } = useTexts();
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      {can('workflows:read') ? <List /> : <MissingScope scopes={['workflows:read']} />}
    </>
  );
}

function List() {
  const { workflows: texts, workflowType, common } = useTexts();
  const format = useFormat();
  const [get] = useQueryState();
  const pages = usePages();
  const type = TYPES.find((one) => one === get('type')) ?? null;
  const status = STATUSES.find((one) => one === get('status')) ?? null;
  const [result, read] = useQuery({ query: WORKFLOWS, variables: { type, status, after: pages.after } });
  usePolling(pages.after === null, read);
  const failure = failureOf(result.error, 'workflows');
  const list = result.data?.workflows;
  const isFiltered = type !== null || status !== null;
  return (
    <>
      <Filters type={type} status={status} />
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {failure === undefined && list === undefined && <Skeleton lines={8} />}
      {list?.nodes.length === 0 && (
        <EmptyState icon="workflows" title={isFiltered ? texts.nothingFoundTitle : texts.emptyTitle}>
          {!isFiltered && texts.empty}
        </EmptyState>
      )}
      {list !== undefined && list.nodes.length > 0 && (
        <>
          {list.nodes.map((workflow) => (
            <LiveWorkflow key={workflow.id} id={workflow.id} status={workflow.status} />
          ))}
          <DataTable
            label={texts.title}
            items={list.nodes}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'type',
                title: texts.type,
                grow: true,
                cell: (workflow) => (
                  <Link className="row-link wrap" href={`/workflows/${workflow.id}`}>
                    {workflowType[workflow.type]}
                    <span className="under">
                      <code>{workflow.id}</code>
                    </span>
                  </Link>
                ),
              },
              {
                key: 'status',
                title: common.status,
                cell: (workflow) => (
                  <>
                    <WorkflowState status={workflow.status} />
                    {workflow.error !== null && <span className="under">{workflow.error.message}</span>}
                  </>
                ),
              },
              {
                key: 'created',
                title: common.created,
                align: 'end',
                cell: ({ createdAt }) => <Moment at={createdAt} seconds />,
              },
              {
                key: 'took',
                title: texts.duration,
                align: 'end',
                wideOnly: true,
                cell: ({ status: state, createdAt, updatedAt }) =>
                  state === 'COMPLETED' || state === 'FAILED'
                    ? format.duration(Date.parse(updatedAt) - Date.parse(createdAt))
                    : '–',
              },
            ]}
          />
          <Pager
            count={list.nodes.length}
            total={list.totalCount === null ? undefined : common.total(format.number(list.totalCount))}
            {...pages.pager(list.pageInfo)}
          />
        </>
      )}
    </>
  );
}

function Filters({ type, status }: { type: WorkflowType | null; status: WorkflowStatus | null }) {
  const { workflows: texts, workflowType, workflowStatus, common } = useTexts();
  const [, set] = useQueryState();
  const change = (name: string) => (id: string) =>
    set({ [name]: id === ANY ? undefined : id, after: undefined });
  const all = { id: ANY, label: common.all };
  return (
    <div className="filters">
      <Choice
        label={texts.type}
        options={[all, ...TYPES.map((id) => ({ id, label: workflowType[id] ?? id }))]}
        value={type ?? ANY}
        onChange={change('type')}
      />
      <Choice
        label={common.status}
        options={[all, ...STATUSES.map((id) => ({ id, label: workflowStatus[id] }))]}
        value={status ?? ANY}
        onChange={change('status')}
      />
    </div>
  );
}
