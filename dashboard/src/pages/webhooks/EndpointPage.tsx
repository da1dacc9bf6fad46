import type { ReactNode } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import { Link, useParams } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Copyable } from '../../ui/Copyable.tsx';
import { FailureNotice, MissingScope } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Deliveries } from './Deliveries.tsx';
import { EndpointActions } from './EndpointActions.tsx';
import type { Endpoint } from './endpointQuery.ts';
import { ENDPOINT } from './endpointQuery.ts';
import { EndpointState } from './EndpointState.tsx';

/** One receiver: how it is set up, and what became of each message. */
export default function EndpointPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { webhooks: texts } = useTexts();
  const above = <Link href="/webhooks">{texts.backToList}</Link>;
  if (!can('webhooks:read')) {
    return (
      <>
        <PageHeader title={texts.title} above={above} />
        <MissingScope scopes={['webhooks:read']} />
      </>
    );
  }
  return <Found key={id} id={id} above={above} />;
}

function Found({ id, above }: { id: string; above: ReactNode }) {
  const [result, read] = useQuery({ query: ENDPOINT, variables: { id } });
  const failure = failureOf(result.error, 'webhookEndpoint');
  const endpoint = result.data?.webhookEndpoint;
  if (failure !== undefined) {
    return (
      <>
        <PageHeader title={id} above={above} />
        <FailureNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      </>
    );
  }
  if (endpoint === undefined || endpoint === null) return <Skeleton lines={8} />;
  return (
    <>
      <PageHeader
        title={endpoint.url}
        above={above}
        lead={<About endpoint={endpoint} />}
        actions={can('webhooks:write') && <EndpointActions endpoint={endpoint} />}
      />
      <Deliveries endpointId={id} />
    </>
  );
}

function About({ endpoint }: { endpoint: Endpoint }) {
  const { webhooks: texts, common } = useTexts();
  const isEverything = endpoint.enabledEvents.includes('*');
  return (
    <dl className="facts-line">
      <div>
        <dt>{common.status}</dt>
        <dd>
          <EndpointState endpoint={endpoint} />
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd>
          <Copyable value={endpoint.id} what="id" />
        </dd>
      </div>
      <div>
        <dt>{common.created}</dt>
        <dd>
          <Moment at={endpoint.createdAt} />
        </dd>
      </div>
      <div>
        <dt>{texts.events}</dt>
        <dd className="badges">
          {isEverything
            ? texts.everything
            : endpoint.enabledEvents.map((type) => <Badge key={type}>{type}</Badge>)}
        </dd>
      </div>
    </dl>
  );
}
