import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { OntologiesQuery } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { usePages } from '../../ui/usePages.ts';
import { WorkflowLink } from '../workflows/WorkflowLink.tsx';

const ONTOLOGIES = graphql(`
  query Ontologies($after: String) {
    ontologies(first: 25, after: $after) {
      nodes {
        id
        name
        version
        identityFields
        fields {
          name
          type
          required
          label
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const REBUILD = graphql(`
  mutation RebuildOntology($id: ID!, $key: String!) {
    rebuildOntology(id: $id, idempotencyKey: $key) {
      workflowId
      status
    }
  }
`);

type Ontology = OntologiesQuery['ontologies']['nodes'][number];

/** The field maps that entries follow. */
export function Ontologies() {
  return can('ontologies:read') ? <List /> : <MissingScope scopes={['ontologies:read']} />;
}

function List() {
  const { catalog: texts } = useTexts();
  const pages = usePages();
  const [result, read] = useQuery({ query: ONTOLOGIES, variables: { after: pages.after } });
  const failure = failureOf(result.error, 'ontologies');
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.ontologies;
  if (list === undefined) return <Skeleton lines={8} />;
  if (list.nodes.length === 0) {
    return (
      <EmptyState icon="catalog" title={texts.emptyTitle}>
        {texts.empty}
      </EmptyState>
    );
  }
  return (
    <>
      {list.nodes.map((ontology) => (
        <OntologyCard key={ontology.id} ontology={ontology} />
      ))}
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
    </>
  );
}

function OntologyCard({ ontology }: { ontology: Ontology }) {
  const { catalog: texts, common } = useTexts();
  return (
    <Card
      flush
      title={ontology.name}
      lead={`${ontology.id} · ${texts.version} ${ontology.version}`}
      actions={can('ontologies:write') && <Rebuild id={ontology.id} />}
    >
      <DataTable
        label={`${ontology.name}: ${texts.fields}`}
        items={ontology.fields}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: texts.name,
            grow: true,
            cell: ({ name, label }) => (
              <>
                <code>{name}</code>
                {label !== null && <span className="under">{label}</span>}
              </>
            ),
          },
          { key: 'type', title: texts.type, cell: ({ type }) => <code>{type.toLowerCase()}</code> },
          { key: 'required', title: texts.required, cell: ({ required }) => (required ? common.yes : '–') },
          {
            key: 'identity',
            title: texts.identity,
            cell: ({ name }) =>
              ontology.identityFields.includes(name) ? <Badge tone="info">{texts.identity}</Badge> : '–',
          },
        ]}
      />
    </Card>
  );
}

function Rebuild({ id }: { id: string }) {
  const { catalog: texts } = useTexts();
  const tell = useTell();
  return (
    <ConfirmAction
      document={REBUILD}
      variables={{ id }}
      look="quiet"
      kind="primary"
      label={texts.rebuild}
      title={texts.rebuildTitle}
      lead={texts.rebuildLead}
      confirm={texts.rebuildConfirm}
      onDone={({ rebuildOntology }) =>
        tell(texts.rebuildDone, rebuildOntology && <WorkflowLink id={rebuildOntology.workflowId} />)
      }
    />
  );
}
