import type { Measured } from './compareTargets.js';
import type { Group } from './Target.js';

/**
 * What the hand-written server made of a read; of GraphQL's too it is the profile, the same answer by REST.
 */
export function rawOf(measured: readonly Measured[], group: Group): Measured | undefined {
  const wanted = group.startsWith('graphql') ? 'profile' : group;
  return measured.find(({ contestant }) => contestant.server === 'raw' && contestant.group === wanted);
}
