import { forApp } from '../session.ts';
import { createStore } from './createStore.ts';
import { fetchInTime } from './fetchInTime.ts';

const LOCK = 'dashboard-renewal';

/** The status of an answer when another app was opened in this browser since the page was loaded. */
export const OTHER_APP_STATUS = 409;

/** Why the page cannot go on: the person has to sign in again, or another app is open in this browser. */
export type SessionEnd = 'signedOut' | 'otherApp';

/** Whether and why the page cannot go on. */
export const sessionEnd = createStore<SessionEnd | undefined>(undefined);

/**
 * Gets a new token for the session, without asking the person. Tabs take turns, so that one renews it for
 * all.
 *
 * @returns false when the person has to sign in again
 * @throws Error when the service is away
 */
export async function renewSession(): Promise<boolean> {
  const renewed = await (navigator.locks === undefined ? renew() : navigator.locks.request(LOCK, renew));
  if (!renewed) endSession('signedOut');
  return renewed;
}

/** The first reason stays. */
export function endSession(why: SessionEnd): void {
  sessionEnd.set(sessionEnd.get() ?? why);
}

/** Another tab may have renewed it while this one waited for its turn. */
async function renew(): Promise<boolean> {
  if (await isAlive()) return true;
  const answer = await fetchInTime(`/dashboard/renew${forApp}`);
  if (answer.status === 204 || (await isAlive())) return true;
  if (answer.status >= 500) throw new Error('The service cannot renew the session right now.');
  return false;
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
  const answer = await fetchInTime(`/dashboard/query${forApp}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  if (answer.status === OTHER_APP_STATUS) endSession('otherApp');
  return answer.status !== 401;
}
