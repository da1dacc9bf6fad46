import type { ReactNode } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import { Link, useParams } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Card } from '../../ui/Card.tsx';
import { Copyable } from '../../ui/Copyable.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LiveWorkflow } from './LiveWorkflow.ts';
import { WorkflowState } from './WorkflowState.tsx';

const WORKFLOW = graphql(`
  query Workflow($id: ID!) {
    workflow(id: $id) {
      id
      type
      status
      createdAt
      updatedAt
      error {
        code
        message
        field
      }
    }
  }
`);

/** One piece of work in the background. */
export default function WorkflowPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { workflows: texts, workflowType, common } = useTexts();
  const [result, read] = useQuery({ query: WORKFLOW, variables: { id }, pause: !can('workflows:read') });
  const workflow = result.data?.workflow;
  const failure = failureOf(result.error, 'workflow');
  const title = workflow === undefined || workflow === null ? id : workflowType[workflow.type];
  return (
    <>
      <PageHeader title={title ?? id} above={<Link href="/workflows">{texts.title}</Link>} />
      {!can('workflows:read') && <MissingScope scopes={['workflows:read']} />}
      {failure !== undefined && (
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {can('workflows:read') && failure === undefined && (workflow === undefined || workflow === null) && (
        <Skeleton />
      )}
      {workflow && <LiveWorkflow id={workflow.id} status={workflow.status} />}
      {workflow && (
        <Card title={common.details}>
          <dl className="details">
            <Pair name={common.status}>
              <WorkflowState status={workflow.status} />
            </Pair>
            <Pair name="Id">
              <Copyable value={workflow.id} what="id" />
            </Pair>
            <Pair name={common.created}>
              <Moment at={workflow.createdAt} seconds />
            </Pair>
            <Pair name={common.updated}>
              <Moment at={workflow.updatedAt} seconds />
            </Pair>
            {workflow.error !== null && (
              <Pair name={texts.error}>
                {workflow.error.message} <code>{workflow.error.code}</code>
              </Pair>
            )}
          </dl>
        </Card>
      )}
    </>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="pair">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
