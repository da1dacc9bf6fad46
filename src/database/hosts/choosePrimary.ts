import type { PrimaryState } from './askHost.js';

/**
 * Of hosts that take writes, those promoted last: the others are former primaries that returned. Normally
 * one; several servers of one timeline cannot be told apart.
 *
 * @param lastTimeline the highest timeline seen so far: lower ones are abandoned
 */
export function choosePrimary(found: readonly PrimaryState[], lastTimeline: number): PrimaryState[] {
  const newest = Math.max(lastTimeline, ...found.map(({ timeline }) => timeline));
  const servers = new Map<string, PrimaryState>();
  for (const state of found)
    if (state.timeline === newest && !servers.has(state.startedAt)) servers.set(state.startedAt, state);
  return [...servers.values()];
}
