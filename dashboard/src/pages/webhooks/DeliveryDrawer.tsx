import { useQuery } from '../../client/useQuery.ts';
import { Link } from 'wouter';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { DeliveryQuery } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Copyable } from '../../ui/Copyable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/FailureNotice.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { DeliveryState } from './Deliveries.tsx';
import { Redeliver } from './Redeliver.tsx';

const DELIVERY = graphql(`
  query Delivery($id: ID!) {
    webhookDelivery(id: $id) {
      id
      eventType
      status
      errorCode
      sequence
      createdAt
      nextAttemptAt
      workflowId
      body
      attempts {
        attempt
        startedAt
        durationMs
        statusCode
        errorCode
        responseBody
      }
    }
  }
`);

type Delivery = NonNullable<DeliveryQuery['webhookDelivery']>;
type Attempt = Delivery['attempts'][number];

interface Props {
  endpointId: string;
  /** None: closed. */
  id: string | undefined;
  onClose: () => void;
}

/** One message: what was sent, what was answered, and each attempt. */
export function DeliveryDrawer({ endpointId, id, onClose }: Props) {
  const { webhooks: texts } = useTexts();
  return (
    <Dialog shape="drawer" title={texts.message} isOpen={id !== undefined} onClose={onClose}>
      {id !== undefined && <Body endpointId={endpointId} id={id} />}
    </Dialog>
  );
}

function Body({ endpointId, id }: { endpointId: string; id: string }) {
  const [result] = useQuery({ query: DELIVERY, variables: { id } });
  const failure = failureOf(result.error, 'webhookDelivery');
  const delivery = result.data?.webhookDelivery;
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (delivery === undefined || delivery === null) {
    return (
      <div className="dialog-body">
        <Skeleton lines={8} />
      </div>
    );
  }
  return (
    <div className="dialog-body">
      <Head endpointId={endpointId} delivery={delivery} />
      <Sent delivery={delivery} />
      <Attempts attempts={delivery.attempts} />
    </div>
  );
}

function Head({ endpointId, delivery }: { endpointId: string; delivery: Delivery }) {
  const { webhooks: texts, deliveryErrors, common, workflowType } = useTexts();
  return (
    <section>
      <div className="drawer-title">
        <h3>
          <code>{delivery.eventType}</code> <DeliveryState status={delivery.status} />
        </h3>
        {can('webhooks:write') && <Redeliver endpointId={endpointId} deliveryId={delivery.id} />}
      </div>
      {delivery.errorCode !== null && <p>{deliveryErrors[delivery.errorCode] ?? delivery.errorCode}</p>}
      <dl className="details">
        <dt>webhook-id</dt>
        <dd>
          <Copyable value={delivery.id} what="webhook-id" />
        </dd>
        {delivery.sequence !== null && (
          <>
            <dt>webhook-sequence</dt>
            <dd>{delivery.sequence}</dd>
          </>
        )}
        <dt>{common.created}</dt>
        <dd>
          <Moment at={delivery.createdAt} seconds />
        </dd>
        {delivery.nextAttemptAt !== null && (
          <>
            <dt>{texts.nextAttempt}</dt>
            <dd>
              <Moment at={delivery.nextAttemptAt} seconds />
            </dd>
          </>
        )}
        {delivery.workflowId !== null && (
          <>
            <dt>{workflowType['WEBHOOK_DELIVERY']}</dt>
            <dd>
              <Link href={`/workflows/${delivery.workflowId}`}>
                <code>{delivery.workflowId}</code>
              </Link>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Sent({ delivery }: { delivery: Delivery }) {
  const { webhooks: texts } = useTexts();
  return (
    <section>
      <h3>{texts.request}</h3>
      {delivery.body === null ? (
        <p className="quiet">{texts.bodyGone}</p>
      ) : (
        <pre tabIndex={0} aria-label={texts.request}>
          {indented(delivery.body)}
        </pre>
      )}
    </section>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const { webhooks: texts } = useTexts();
  return (
    <section>
      <h3>{texts.attempts}</h3>
      {attempts.length === 0 && <p className="quiet">{texts.noAttempts}</p>}
      <ol className="attempts">
        {attempts.toReversed().map((attempt) => (
          <AttemptEntry key={attempt.attempt} attempt={attempt} />
        ))}
      </ol>
    </section>
  );
}

function AttemptEntry({ attempt }: { attempt: Attempt }) {
  const { webhooks: texts } = useTexts();
  const format = useFormat();
  const { statusCode, responseBody } = attempt;
  const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return (
    <li>
      <p className="title">
        <Badge tone={isGood ? 'good' : 'danger'}>{statusCode ?? attempt.errorCode ?? texts.noAnswer}</Badge>
        <strong>{texts.attempt(attempt.attempt)}</strong>
        <span className="quiet">
          <Moment at={attempt.startedAt} seconds /> · {format.duration(attempt.durationMs)}
        </span>
      </p>
      {statusCode !== null &&
        responseBody !== null &&
        (responseBody === '' ? (
          <p className="quiet small">{texts.emptyAnswer}</p>
        ) : (
          <pre tabIndex={0} aria-label={texts.answer}>
            {indented(responseBody)}
          </pre>
        ))}
    </li>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
