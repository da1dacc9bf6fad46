import { graphql } from '../../gql/index.ts';
import type { DecisionsQuery } from '../../gql/graphql.ts';

/** Every decision, page by page, and the receipts that they belong to. */
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
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
      consentReceipts(first: 100) {
        nodes {
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
    }
  }
`);

type Customer = NonNullable<DecisionsQuery['customer']>;

export type Decision = NonNullable<Customer['consentTimeline']>['nodes'][number];
export type Receipt = NonNullable<Customer['consentReceipts']>['nodes'][number];
