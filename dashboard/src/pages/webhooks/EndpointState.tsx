import type { WebhookDisabledReason, WebhookEndpointStatus } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Badge } from '../../ui/Badge.tsx';

interface Props {
  endpoint: { status: WebhookEndpointStatus; disabledReason: WebhookDisabledReason | null };
}

/** Whether an endpoint is sent to; if not, why. */
export function EndpointState({ endpoint: { status, disabledReason } }: Props) {
  const { webhooks: texts } = useTexts();
  if (status === 'ACTIVE') return <Badge tone="good">{texts.active}</Badge>;
  return (
    <>
      <Badge tone={disabledReason === 'REQUESTED' ? 'neutral' : 'danger'}>{texts.disabled}</Badge>
      {disabledReason !== null && <span className="under">{texts.disabledReason[disabledReason]}</span>}
    </>
  );
}
