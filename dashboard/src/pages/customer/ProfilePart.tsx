import { useQuery } from '../../client/useQuery.ts';
import type { Failure } from '../../client/failure.ts';
import { failureOf } from '../../client/failure.ts';
import { readAgain } from '../../client/readAgain.ts';
import { useLive } from '../../client/useLive.ts';
import { graphql } from '../../gql/index.ts';
import type { ConsentPurpose, ProfileQuery } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Card } from '../../ui/Card.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useQueryState } from '../../ui/useQueryState.ts';
import { ValueText } from '../../ui/ValueText.tsx';
import { can } from '../../session.ts';
import { Access } from './Access.tsx';
import { Denied } from './Denied.tsx';
import { FactDrawer } from './FactDrawer.tsx';
import { useChosenPurpose } from './purposes.ts';

const PROFILE = graphql(`
  query Profile($customerId: ID!, $purpose: ConsentPurpose) {
    resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {
      resolvedAt
      facts {
        attribute
        resolvedValue
        confidence
        resolutionMethod
        consentPurpose
      }
    }
  }
`);

const PROFILE_CHANGED = graphql(`
  subscription ProfileChanged($customerId: ID!, $purpose: ConsentPurpose) {
    profileChanged(customerId: $customerId, consentPurpose: $purpose) {
      resolvedAt
    }
  }
`);

export type FactRow = NonNullable<ProfileQuery['resolvedProfile']>['facts'][number];

interface Props {
  customerId: string;
  /** Nothing more will be heard of the profile: what is shown has to go before anything is read again. */
  onEnd: (failure: Failure) => void;
  /** Whether the page still hears of changes. */
  isHeard: boolean;
}

/** What is believed of the customer, and what may be read at all. */
export function ProfilePart({ customerId, ...hearing }: Props) {
  const purpose = useChosenPurpose();
  return (
    <div className="with-aside">
      {can('profile:read') ? (
        <Facts key={purpose} customerId={customerId} purpose={purpose} {...hearing} />
      ) : (
        <MissingScope scopes={['profile:read']} />
      )}
      <Access customerId={customerId} />
    </div>
  );
}

function Facts({ customerId, purpose, onEnd, isHeard }: Props & { purpose: ConsentPurpose | null }) {
  const { customer: texts } = useTexts();
  const [get, set] = useQueryState();
  const variables = { customerId, purpose };
  const [result, read] = useQuery({ query: PROFILE, variables });
  const failure = failureOf(result.error, 'resolvedProfile');
  const profile = result.data?.resolvedProfile;
  // A closed purpose ends the subscription: it begins again when the profile can be read again.
  useLive(PROFILE_CHANGED, variables, {
    pause: !isHeard || failure !== undefined || profile === undefined || profile === null,
    onEvent: ({ profileChanged }) => {
      if (profileChanged?.resolvedAt === profile?.resolvedAt) read({ requestPolicy: 'network-only' });
      else readAgain();
    },
    onEnd,
  });
  const columns = useColumns((fact) => set({ fact: keyOf(fact) }));
  if (failure?.code === 'CONSENT_DENIED')
    return <Denied customerId={customerId} purpose={purpose} failure={failure} />;
  if (failure !== undefined) {
    return <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  if (profile === undefined || profile === null) return <Skeleton lines={8} />;
  const chosen = profile.facts.find((fact) => keyOf(fact) === get('fact'));
  return (
    <Card
      flush
      title={texts.facts}
      actions={
        <span className="quiet small">
          {texts.resolvedAt} <Moment at={profile.resolvedAt} />
        </span>
      }
    >
      {profile.facts.length === 0 ? (
        <EmptyState title={texts.noFactsTitle}>{texts.noFacts}</EmptyState>
      ) : (
        <DataTable
          label={texts.facts}
          columns={columns}
          items={profile.facts}
          keyOf={keyOf}
          isCurrent={(fact) => fact === chosen}
        />
      )}
      <FactDrawer customerId={customerId} fact={chosen} onClose={() => set({ fact: undefined })} />
    </Card>
  );
}

function keyOf({ attribute, consentPurpose }: Pick<FactRow, 'attribute' | 'consentPurpose'>): string {
  return `${consentPurpose}.${attribute}`;
}

function useColumns(open: (fact: FactRow) => void): Column<FactRow>[] {
  const { customer: texts, purposes, methods } = useTexts();
  return [
    {
      key: 'attribute',
      title: texts.attribute,
      cell: (fact) => (
        <button type="button" className="row-link" onClick={() => open(fact)}>
          {fact.attribute}
          <span className="under">{purposes[fact.consentPurpose]}</span>
        </button>
      ),
    },
    {
      key: 'value',
      title: texts.value,
      grow: true,
      cell: (fact) => <ValueText value={fact.resolvedValue} />,
    },
    {
      key: 'confidence',
      title: texts.confidence,
      cell: (fact) => (
        <>
          <Meter value={fact.confidence} label={texts.confidence} />
          <span className="under">{methods[fact.resolutionMethod] ?? fact.resolutionMethod}</span>
        </>
      ),
    },
  ];
}
