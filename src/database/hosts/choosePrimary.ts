import type { PrimaryState } from './askHost.js';

/**
 * The hosts promoted last among those that take writes; the others are former primaries that returned.
 * Normally there is one; several servers of one timeline cannot be distinguished.
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
