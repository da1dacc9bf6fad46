import type { WorkflowStatus } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import type { Tone } from '../../ui/Badge.tsx';
import { Badge } from '../../ui/Badge.tsx';

const TONES: Record<WorkflowStatus, Tone> = {
  ACCEPTED: 'info',
  RUNNING: 'info',
  COMPLETED: 'good',
  FAILED: 'danger',
};

/** How far work in the background has come. */
export function WorkflowState({ status }: { status: WorkflowStatus }) {
  const { workflowStatus } = useTexts();
  return <Badge tone={TONES[status]}>{workflowStatus[status]}</Badge>;
}
