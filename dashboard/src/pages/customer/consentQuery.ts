import { graphql } from '../../gql/index.ts';
import type { DecisionsQuery } from '../../gql/graphql.ts';

/** Every decision, page by page, each with the receipt that it belongs to. */
export const DECISIONS = graphql(`
  query Decisions($customerId: ID!, $after: String) {
    customer(id: $customerId) {
      id
      consentTimeline(first: 25, after: $after) {
        nodes {
          id
          action
          decidedAt
          decidedBy
          purposes
          reason
          receiptId
          receipt {
            id
            status
            termsVersion
            privacyPolicyVersion
            connectionSessionId
            revocationNote
            purposes {
              purpose
              status
              revokedAt
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

type Customer = NonNullable<DecisionsQuery['customer']>;

export type Decision = NonNullable<Customer['consentTimeline']>['nodes'][number];
