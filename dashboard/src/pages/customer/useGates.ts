import { useQuery } from '../../client/useQuery.ts';
import { graphql } from '../../gql/index.ts';
import type { GatesQuery } from '../../gql/graphql.ts';
import { can } from '../../session.ts';

const GATES = graphql(`
  query Gates($customerId: ID!) {
    resolvedProfile(customerId: $customerId) {
      gates {
        purpose
        isOpen
        decidedBy
      }
    }
  }
`);

export type Gate = NonNullable<GatesQuery['resolvedProfile']>['gates'][number];

/**
 * Which purposes may be read, and what keeps the others shut. Undefined while it loads, or where the scope is
 * missing.
 */
export function useGates(customerId: string): readonly Gate[] | undefined {
  const pause = !can('profile:read', 'consent:read');
  const [result] = useQuery({ query: GATES, variables: { customerId }, pause });
  return result.data?.resolvedProfile?.gates;
}
