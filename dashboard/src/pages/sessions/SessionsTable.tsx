import { Link } from 'wouter';
import type { ConnectionSessionStatus, ConsentPurpose } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { SessionState } from './SessionState.tsx';

interface Row {
  id: string;
  status: ConnectionSessionStatus;
  requestedPurposes: readonly ConsentPurpose[];
  createdAt: string;
}

/** Connection sessions, each a link to its page. */
export function SessionsTable({ label, items }: { label: string; items: readonly Row[] }) {
  const { sessions: texts, purposes, common } = useTexts();
  return (
    <DataTable
      label={label}
      items={items}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'id',
          title: 'Id',
          cell: ({ id }) => (
            <Link className="row-link" href={`/sessions/${id}`}>
              <code>{id}</code>
            </Link>
          ),
        },
        { key: 'status', title: common.status, cell: ({ status }) => <SessionState status={status} /> },
        {
          key: 'purposes',
          title: texts.requested,
          grow: true,
          wideOnly: true,
          cell: ({ requestedPurposes }) => requestedPurposes.map((purpose) => purposes[purpose]).join(', '),
        },
        {
          key: 'created',
          title: common.created,
          align: 'end',
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
    />
  );
}
