/**
 * A subject of the queue `learning`:
 *
 * - `request`: claims of a purpose, given by its place, have changed
 * - `run`: learning in progress; its time is the lease
 * - `daily`: claims age, so facts are resolved again each day
 * - `recompute`: the workflow that resolves facts again. It waits in this queue, so that it never delays a
 *   revocation's workflow.
 */
export type LearningSubject =
  { kind: 'request' | 'run' | 'daily'; purpose: number } | { kind: 'recompute'; workflowId: string };

/** The subject of a purpose as it stands in the queue. That of a workflow is its id. */
export function learningSubject(kind: 'request' | 'run' | 'daily', purpose: number): string {
  return kind === 'request' ? String(purpose) : `${purpose}/${kind}`;
}

export function readLearningSubject(subject: string): LearningSubject {
  const [, place, kind] = /^(\d+)(?:\/(run|daily))?$/.exec(subject) ?? [];
  if (place === undefined) return { kind: 'recompute', workflowId: subject };
  return { kind: kind === 'run' || kind === 'daily' ? kind : 'request', purpose: Number(place) };
}

/** The daily subjects, for LIKE. */
export const EVERY_DAILY = '%/daily';
