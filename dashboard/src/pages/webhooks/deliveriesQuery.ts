import { graphql } from '../../gql/index.ts';
import type { DeliveriesQuery } from '../../gql/graphql.ts';

export const DELIVERIES = graphql(`
  query Deliveries($endpointId: ID!, $status: WebhookDeliveryStatus, $after: String) {
    webhookDeliveries(endpointId: $endpointId, status: $status, first: 25, after: $after) {
      nodes {
        id
        eventType
        status
        errorCode
        createdAt
        nextAttemptAt
        attempts {
          attempt
          statusCode
          errorCode
          durationMs
          startedAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type DeliveryRow = NonNullable<DeliveriesQuery['webhookDeliveries']>['nodes'][number];
