import { useState } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import { Link, useParams } from 'wouter';
import type { Failure } from '../../client/failure.ts';
import { failureOf } from '../../client/failure.ts';
import { readAgain } from '../../client/readAgain.ts';
import { useDeafness } from '../../client/useDeafness.ts';
import { usePolling } from '../../client/usePolling.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Copyable } from '../../ui/Copyable.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { LiveBadge } from '../../ui/LiveBadge.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { visibleText } from '../../ui/visibleText.ts';
import { TabLinks } from '../../ui/TabLinks.tsx';
import { ClaimsPart } from './ClaimsPart.tsx';
import { ConsentPart } from './ConsentPart.tsx';
import { EventsPart } from './EventsPart.tsx';
import { EraseCustomer } from './EraseCustomer.tsx';
import { ForgetfulCache } from './ForgetfulCache.tsx';
import { IntentsPart } from './IntentsPart.tsx';
import { ProfilePart } from './ProfilePart.tsx';
import { useChosenPurpose } from './purposes.ts';
import { PurposeSwitch } from './PurposeSwitch.tsx';
import { SessionsPart } from './SessionsPart.tsx';
import { useWithdrawals } from './useWithdrawals.ts';
import { WithdrawalNotice } from './WithdrawalNotice.tsx';

const CUSTOMER = graphql(`
  query Customer($id: ID!) {
    customer(id: $id) {
      id
      externalId
      status
      createdAt
      updatedAt
      metadata
      profile {
        username
        bioMarkdown
        publicLocation {
          city
          state
          country
        }
      }
    }
  }
`);

const PARTS = {
  profile: ProfilePart,
  consent: ConsentPart,
  claims: ClaimsPart,
  intents: IntentsPart,
  events: EventsPart,
  sessions: SessionsPart,
} as const;

type PartName = keyof typeof PARTS;

/** What of the parts is read under a purpose. */
const GATED: readonly PartName[] = ['profile', 'claims', 'intents', 'events'];

/** One customer: who they are, what they allowed, what is believed of them and why. */
export default function CustomerPage() {
  const { id = '', part } = useParams<{ id: string; part?: string }>();
  const { customer: texts, shell } = useTexts();
  const purpose = useChosenPurpose();
  const [result, read] = useQuery({ query: CUSTOMER, variables: { id } });
  const name = partNamed(part);
  const failure = failureOf(result.error, 'customer');
  const customer = result.data?.customer;
  const above = <Link href="/customers">{shell.customers}</Link>;
  if (failure !== undefined) {
    return (
      <>
        <PageHeader title={id} above={above} />
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      </>
    );
  }
  if (customer === undefined || customer === null) return <Skeleton lines={8} />;
  const tabs = (Object.keys(PARTS) as PartName[]).map((key) => ({
    key,
    label: texts.tabs[key],
    // The cursor and the open fact are of one part.
    href: `/customers/${id}/${key}${purpose === null ? '' : `?purpose=${purpose}`}`,
  }));
  return (
    <>
      <PageHeader
        title={visibleText(customer.profile?.username, visibleText(customer.externalId, id))}
        above={above}
        lead={<Identity customer={customer} />}
        actions={
          <>
            <LiveBadge />
            {can('customers:write') && <EraseCustomer id={id} name={customer.externalId} />}
          </>
        }
      />
      <div className="tab-bar">
        <TabLinks label={texts.sections} tabs={tabs} current={name} />
        {GATED.includes(name) && <PurposeSwitch customerId={id} />}
      </div>
      <OpenPart key={id} customerId={id} name={name} />
    </>
  );
}

/**
 * What was read under a purpose is forgotten when another part is opened, when consent changes, and when a
 * stream that tells of it ends or its connection is lost. Who cannot hear of consent looks again regularly.
 */
function OpenPart({ customerId, name }: { customerId: string; name: PartName }) {
  const [changes, setChanges] = useState(0);
  const [isHeard, setHeard] = useState(true);
  const forget = (): void => setChanges((count) => count + 1);
  const onEnd = ({ code }: Failure): void => {
    // A purpose that was closed is listened to again once it can be read; after any other end nothing is.
    if (code !== 'CONSENT_DENIED') setHeard(false);
    forget();
    readAgain();
  };
  const { withdrawal, dismiss } = useWithdrawals(customerId, { onChange: forget, onEnd });
  const isListening = isHeard && can('consent:read');
  const isDeaf = useDeafness(isListening);
  usePolling(!isListening || isDeaf, readAgain);
  const Part = PARTS[name];
  return (
    <>
      <WithdrawalNotice withdrawal={withdrawal} dismiss={dismiss} />
      {GATED.includes(name) ? (
        <ForgetfulCache key={`${name} ${changes} ${isDeaf}`}>
          <Part customerId={customerId} onEnd={onEnd} isHeard={isHeard} />
        </ForgetfulCache>
      ) : (
        <Part customerId={customerId} onEnd={onEnd} isHeard={isHeard} />
      )}
    </>
  );
}

function partNamed(name: string | undefined): PartName {
  return name !== undefined && Object.hasOwn(PARTS, name) ? (name as PartName) : 'profile';
}

function Identity({ customer }: { customer: { id: string; externalId: string; createdAt: string } }) {
  const { customers: texts, common } = useTexts();
  return (
    <dl className="facts-line">
      <div>
        <dt>{texts.externalId}</dt>
        <dd>
          <bdi>{customer.externalId}</bdi>
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd>
          <Copyable value={customer.id} what="id" />
        </dd>
      </div>
      <div>
        <dt>{common.created}</dt>
        <dd>
          <Moment at={customer.createdAt} />
        </dd>
      </div>
    </dl>
  );
}
