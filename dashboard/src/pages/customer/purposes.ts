import type { ConsentPurpose } from '../../gql/graphql.ts';
import { useQueryState } from '../../ui/useQueryState.ts';

/** In the order of the contract. */
export const PURPOSES: readonly ConsentPurpose[] = [
  'ACCOUNT_LINKING',
  'PERSONALIZATION',
  'ANALYTICS',
  'SUPPORT',
  'EVENT_ENRICHMENT',
  'PROFILE_RESOLUTION',
  'MEASUREMENT',
];

/** The purpose that the page looks at, from its address; null for every purpose that is open. */
export function useChosenPurpose(): ConsentPurpose | null {
  const [get] = useQueryState();
  const chosen = get('purpose');
  return PURPOSES.find((purpose) => purpose === chosen) ?? null;
}
