import type { ReactNode } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { EntriesQuery } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { visibleText } from '../../ui/visibleText.ts';
import { usePages } from '../../ui/usePages.ts';
import { useQueryState } from '../../ui/useQueryState.ts';
import { Copyable } from '../../ui/Copyable.tsx';

const ENTRIES = graphql(`
  query Entries($after: String) {
    entries(first: 25, after: $after) {
      nodes {
        entryId
        entryName
        ontology
        ownerId
        ingestionOrigin
        value
        imageUploadStatus
        fields
        checksum
        createdAt
        updatedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

type Entry = EntriesQuery['entries']['nodes'][number];

/** The things that events refer to. */
export function Entries() {
  return can('entries:read') ? <List /> : <MissingScope scopes={['entries:read']} />;
}

function List() {
  const { catalog: texts, common } = useTexts();
  const [get, set] = useQueryState();
  const pages = usePages();
  const [result, read] = useQuery({ query: ENTRIES, variables: { after: pages.after } });
  const failure = failureOf(result.error, 'entries');
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const list = result.data?.entries;
  if (list === undefined) return <Skeleton lines={8} />;
  if (list.nodes.length === 0) {
    return (
      <EmptyState icon="catalog" title={texts.noEntriesTitle}>
        {texts.noEntries}
      </EmptyState>
    );
  }
  const open = list.nodes.find(({ entryId }) => entryId === get('entry'));
  return (
    <>
      <DataTable
        label={texts.entries}
        items={list.nodes}
        keyOf={({ entryId }) => entryId}
        isCurrent={(entry) => entry === open}
        columns={[
          {
            key: 'name',
            title: texts.name,
            grow: true,
            cell: ({ entryId, entryName }) => (
              <button type="button" className="row-link" onClick={() => set({ entry: entryId })}>
                <bdi>{visibleText(entryName, entryId)}</bdi>
              </button>
            ),
          },
          { key: 'ontology', title: texts.ontology, cell: ({ ontology }) => <code>{ontology}</code> },
          {
            key: 'id',
            title: texts.entryId,
            wideOnly: true,
            cell: ({ entryId }) => <code className="quiet">{entryId}</code>,
          },
          {
            key: 'updated',
            title: common.updated,
            align: 'end',
            cell: ({ updatedAt }) => <Moment at={updatedAt} />,
          },
        ]}
      />
      <Pager count={list.nodes.length} {...pages.pager(list.pageInfo)} />
      <Dialog
        shape="drawer"
        title={open === undefined ? '' : visibleText(open.entryName, open.entryId)}
        isOpen={open !== undefined}
        onClose={() => set({ entry: undefined })}
      >
        {open !== undefined && <EntryBody entry={open} />}
      </Dialog>
    </>
  );
}

function EntryBody({ entry }: { entry: Entry }) {
  const { catalog: texts, common } = useTexts();
  const format = useFormat();
  const rows: [string, ReactNode][] = [
    [texts.entryId, <Copyable key="id" value={entry.entryId} what={texts.entryId} />],
    [texts.ontology, <code key="ontology">{entry.ontology}</code>],
    [texts.value, entry.value === null ? null : format.number(entry.value)],
    [texts.owner, entry.ownerId],
    [texts.origin, entry.ingestionOrigin],
    [texts.image, entry.imageUploadStatus === null ? null : texts.imageStatus[entry.imageUploadStatus]],
    [texts.checksum, <code key="checksum">{entry.checksum}</code>],
    [common.created, <Moment key="created" at={entry.createdAt} />],
    [common.updated, <Moment key="updated" at={entry.updatedAt} />],
  ];
  return (
    <div className="dialog-body">
      <dl className="details">
        {rows
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className="pair">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <section>
        <h3>{texts.fields}</h3>
        <pre tabIndex={0} aria-label={texts.fields}>
          {JSON.stringify(entry.fields, null, 2)}
        </pre>
      </section>
    </div>
  );
}
