import { graphql } from '../../gql/index.ts';
import type { WebhookEndpointQuery } from '../../gql/graphql.ts';

export const ENDPOINT = graphql(`
  query WebhookEndpoint($id: ID!) {
    webhookEndpoint(id: $id) {
      id
      url
      status
      disabledReason
      enabledEvents
      createdAt
      updatedAt
    }
  }
`);

export type Endpoint = NonNullable<WebhookEndpointQuery['webhookEndpoint']>;
