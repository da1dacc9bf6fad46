import { useTexts } from '../../i18n/texts.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { ValueText } from '../../ui/ValueText.tsx';
import type { Fact } from './FactDrawer.tsx';

type EvidenceClaim = Fact['evidence'][number];

/** Claims that support a value: who said it, when, how surely. */
export function Evidence({ claims }: { claims: readonly EvidenceClaim[] }) {
  const { customer: texts } = useTexts();
  return (
    <DataTable
      label={texts.evidence}
      items={claims}
      keyOf={({ id }) => id}
      columns={[
        { key: 'source', title: texts.source, cell: (claim) => <Source claim={claim} /> },
        { key: 'value', title: texts.value, grow: true, cell: ({ value }) => <ValueText value={value} /> },
        {
          key: 'stated',
          title: texts.stated,
          cell: ({ confidence }) => <Meter value={confidence} label={texts.stated} />,
        },
        {
          key: 'observed',
          title: texts.observed,
          align: 'end',
          cell: ({ observedAt }) => <Moment at={observedAt} />,
        },
      ]}
    />
  );
}

function Source({ claim: { source, provenance } }: { claim: EvidenceClaim }) {
  const { customer: texts } = useTexts();
  const { evidenceUrl } = provenance;
  return (
    <>
      {source}
      <span className="under">
        {provenance.sourcePartner}
        {provenance.sourceSystem !== null && ` · ${provenance.sourceSystem}`}
        {isWebAddress(evidenceUrl) && (
          <>
            {' · '}
            <a href={evidenceUrl} target="_blank" rel="noreferrer">
              {texts.evidenceLink} <Icon name="external" size={12} />
            </a>
          </>
        )}
      </span>
    </>
  );
}

/** Addresses come from sources: only those that a browser merely opens become links. */
export function isWebAddress(address: string | null | undefined): address is string {
  return typeof address === 'string' && /^https?:\/\//i.test(address);
}
