import { useQuery } from '../../client/useQuery.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { FactQuery } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ValueText } from '../../ui/ValueText.tsx';
import { Evidence } from './Evidence.tsx';
import type { FactRow } from './ProfilePart.tsx';
import { Waterfall } from './Waterfall.tsx';

const FACT = graphql(`
  query Fact($customerId: ID!, $purpose: ConsentPurpose!) {
    resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {
      facts {
        attribute
        resolvedValue
        confidence
        resolutionMethod
        consentPurpose
        evidence {
          id
          value
          source
          observedAt
          confidence
          context
          provenance {
            sourcePartner
            sourceSystem
            collectedAt
            evidenceUrl
          }
        }
        alternatives {
          value
          confidence
          reason
        }
        explanation {
          accuracyVersion
          prior
          change
          calibration
          age {
            halfLifeDays
            origin
            confidenceWithout
          }
          normalisation
          omitted
          logOdds
          shares {
            claimId
            source
            supports
            logOdds
            reliability
            sourceAccuracy
            decay
            copying {
              of
              probability
            }
          }
        }
      }
    }
  }
`);

export type Fact = NonNullable<FactQuery['resolvedProfile']>['facts'][number];

interface Props {
  customerId: string;
  /** The fact to explain; none closes the drawer. */
  fact: FactRow | undefined;
  onClose: () => void;
}

/** Why a fact has its value and its confidence. */
export function FactDrawer({ customerId, fact, onClose }: Props) {
  const title = fact?.attribute ?? '';
  return (
    <Dialog shape="drawer" title={title} isOpen={fact !== undefined} onClose={onClose}>
      {fact !== undefined && <FactBody customerId={customerId} row={fact} />}
    </Dialog>
  );
}

function FactBody({ customerId, row }: { customerId: string; row: FactRow }) {
  const [result] = useQuery({ query: FACT, variables: { customerId, purpose: row.consentPurpose } });
  const failure = failureOf(result.error, 'resolvedProfile');
  const fact = result.data?.resolvedProfile?.facts.find(({ attribute }) => attribute === row.attribute);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  return (
    <div className="dialog-body">
      <FactHead row={fact ?? row} />
      {fact === undefined ? <Skeleton lines={10} /> : <FactParts fact={fact} />}
    </div>
  );
}

function FactHead({ row }: { row: FactRow }) {
  const { customer: texts, methods, purposes } = useTexts();
  return (
    <div className="fact-head">
      <p className="fact-value">
        <ValueText value={row.resolvedValue} />
      </p>
      <Meter value={row.confidence} label={texts.confidence} />
      <p className="badges">
        <Badge tone="info">{methods[row.resolutionMethod] ?? row.resolutionMethod}</Badge>
        <Badge>{purposes[row.consentPurpose]}</Badge>
      </p>
    </div>
  );
}

function FactParts({ fact }: { fact: Fact }) {
  const { customer: texts } = useTexts();
  return (
    <>
      <section>
        <h3>{texts.explanation}</h3>
        {fact.explanation === null || fact.explanation === undefined ? (
          <p className="quiet">{texts.noExplanation}</p>
        ) : (
          <>
            <Waterfall explanation={fact.explanation} />
            {fact.explanation.age && <Age age={fact.explanation.age} />}
          </>
        )}
      </section>
      <section>
        <h3>{texts.evidence}</h3>
        <Evidence claims={fact.evidence} />
      </section>
      <section>
        <h3>{texts.alternatives}</h3>
        <Alternatives fact={fact} />
      </section>
    </>
  );
}

/** What age does to the confidence, and how fast the value is held to change. */
function Age({ age }: { age: NonNullable<NonNullable<Fact['explanation']>['age']> }) {
  const { customer: texts } = useTexts();
  const format = useFormat();
  const { halfLifeDays } = age;
  const pace =
    halfLifeDays === null ? texts.neverChanges : texts.halfLife(format.number(Math.round(halfLifeDays)));
  return (
    <p className="quiet small">
      {pace} {texts.halfLifeOrigins[age.origin]} {texts.withoutAge(format.percent(age.confidenceWithout))}
    </p>
  );
}

function Alternatives({ fact }: { fact: Fact }) {
  const { customer: texts, alternativeReasons } = useTexts();
  const items = fact.alternatives ?? [];
  if (items.length === 0) return <p className="quiet">{texts.noAlternatives}</p>;
  return (
    <DataTable
      label={texts.alternatives}
      items={items}
      keyOf={({ value }) => JSON.stringify(value)}
      columns={[
        { key: 'value', title: texts.value, grow: true, cell: ({ value }) => <ValueText value={value} /> },
        {
          key: 'confidence',
          title: texts.confidence,
          cell: ({ confidence }) => <Meter value={confidence} label={texts.confidence} />,
        },
        { key: 'reason', title: texts.reason, cell: ({ reason }) => alternativeReasons[reason] ?? reason },
      ]}
    />
  );
}
