import type { PrimaryState } from './askHost.js';

/**
 * Of hosts that take writes, those that were promoted last: the others are former primaries that came back.
 * One, as long as all is well; several are servers of one timeline, which nothing tells apart.
 *
 * @param lastTimeline the highest timeline that was ever seen: a lower one has been given up
 */
export function choosePrimary(found: readonly PrimaryState[], lastTimeline: number): PrimaryState[] {
  const newest = Math.max(lastTimeline, ...found.map(({ timeline }) => timeline));
  const servers = new Map<string, PrimaryState>();
  for (const state of found)
    if (state.timeline === newest && !servers.has(state.startedAt)) servers.set(state.startedAt, state);
  return [...servers.values()];
}
