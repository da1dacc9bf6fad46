import { useQuery } from '../../client/useQuery.ts';
import { graphql } from '../../gql/index.ts';
import type { EffectiveConsentQuery } from '../../gql/graphql.ts';
import { can } from '../../session.ts';

const CONSENT = graphql(`
  query EffectiveConsent($customerId: ID!) {
    effectiveConsent(customerId: $customerId) {
      evaluatedAt
      purposes {
        purpose
        status
        grantedAt
        revokedAt
      }
    }
  }
`);

export type PurposeState = NonNullable<EffectiveConsentQuery['effectiveConsent']>['purposes'][number];

/** The latest decision on every purpose. Undefined while it loads, or where the scope is missing. */
export function useConsent(customerId: string): readonly PurposeState[] | undefined {
  const [result] = useQuery({ query: CONSENT, variables: { customerId }, pause: !can('consent:read') });
  return result.data?.effectiveConsent?.purposes;
}
