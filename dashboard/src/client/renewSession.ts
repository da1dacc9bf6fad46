const LOCK = 'dashboard-renewal';

type Listener = () => void;

let isEnded = false;
const listeners = new Set<Listener>();

/** Whether the person has to sign in again: for `useSyncExternalStore`. */
export const sessionEnd = {
  get: (): boolean => isEnded,
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * Gets a new token for the session, without asking the person. Tabs take turns: the flow's state is in one
 * cookie.
 *
 * @returns false when the person has to sign in again
 */
export async function renewSession(): Promise<boolean> {
  const renewed = await (navigator.locks === undefined ? renew() : navigator.locks.request(LOCK, renew));
  if (!renewed) endSession();
  return renewed;
}

export function endSession(): void {
  isEnded = true;
  for (const listener of listeners) listener();
}

/** Another tab may have renewed it while this one waited for its turn. */
async function renew(): Promise<boolean> {
  if (await isAlive()) return true;
  const answer = await fetch('/dashboard/renew');
  return answer.status === 204 || (await isAlive());
}

/** Renews the session where its token is no longer good. The network being away is no reason to end it. */
export async function ensureSession(): Promise<void> {
  try {
    if (!(await isAlive())) await renewSession();
  } catch {
    // Whoever asked tries again.
  }
}

async function isAlive(): Promise<boolean> {
  const answer = await fetch('/dashboard/query', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  return answer.status !== 401;
}
