import type { ConnectionSessionStatus } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import type { Tone } from '../../ui/Badge.tsx';
import { Badge } from '../../ui/Badge.tsx';

const TONES: Record<ConnectionSessionStatus, Tone> = {
  CREATED: 'info',
  AUTHORIZED: 'warning',
  COMPLETED: 'good',
  EXPIRED: 'neutral',
  REVOKED: 'danger',
};

/** How far a connection session has come. */
export function SessionState({ status }: { status: ConnectionSessionStatus }) {
  const { sessionStatus } = useTexts();
  return <Badge tone={TONES[status]}>{sessionStatus[status]}</Badge>;
}
