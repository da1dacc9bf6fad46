import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { connectionOf } from '../connection.js';
import { WebhookDeliveryStatus, WebhookDisabledReason, WebhookEndpointStatus } from '../enums.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ implements: Node, description: 'A receiver of webhooks.' })
export class WebhookEndpoint {
  @Field(() => ID)
  id: string;

  @Field(() => String)
  url: string;

  @Field(() => [String], { description: 'Event types that are sent here; `*` is all.' })
  enabledEvents: string[];

  @Field(() => WebhookEndpointStatus)
  status: 'active' | 'disabled';

  @Field(() => WebhookDisabledReason, {
    nullable: true,
    description: 'It answered 410, failed for five days, or was disabled by request.',
  })
  disabledReason?: string | null;

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => DateTimeScalar)
  updatedAt: string;
}

export const WebhookEndpointConnection = connectionOf('WebhookEndpoint', () => WebhookEndpoint);

@ObjectType({ description: 'An endpoint with its signing secret, which is shown only here.' })
export class WebhookEndpointSecretPayload {
  @Field(() => WebhookEndpoint)
  endpoint: WebhookEndpoint;

  @Field(() => String, { description: 'Shown once: `whsec_` and base64 of 32 bytes (Standard Webhooks).' })
  signingSecret: string;
}

@ObjectType({ description: 'One request to the endpoint and what came of it.' })
export class WebhookAttempt {
  @Field(() => Int, { description: 'Counts from 1 over all attempts of the delivery.' })
  attempt: number;

  @Field(() => DateTimeScalar)
  startedAt: string;

  @Field(() => Int)
  durationMs: number;

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the answer; absent when none came.' })
  statusCode?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why no answer came, such as `timeout` or `forbidden_address`.',
  })
  errorCode?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The first kilobyte of the answer, control characters replaced.',
  })
  responseBody?: string | null;
}

@ObjectType({ implements: Node, description: 'A message to one endpoint; its id is the `webhook-id`.' })
export class WebhookDelivery {
  @Field(() => ID)
  id: string;

  @Field(() => ID)
  endpointId: string;

  @Field(() => String, {
    nullable: true,
    description: 'The JSON text that is sent; null since consent was withdrawn or the customer erased.',
  })
  body?: string | null;

  @Field(() => String)
  eventType: string;

  @Field(() => WebhookDeliveryStatus)
  status: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Why it was not delivered: `delivery_failed`, `endpoint_disabled`, `consent_withdrawn`, `customer_erased`.',
  })
  errorCode?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The `webhook-sequence`; absent before the first attempt.',
  })
  sequence?: number | null;

  @Field(() => [WebhookAttempt], { description: 'Oldest first; the latest fifty.' })
  attempts: WebhookAttempt[];

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it is tried next, while it is pending.' })
  nextAttemptAt?: string | null;

  @Field(() => ID, { nullable: true })
  workflowId?: string | null;

  @Field(() => DateTimeScalar)
  createdAt: string;
}

export const WebhookDeliveryConnection = connectionOf('WebhookDelivery', () => WebhookDelivery);

@ObjectType({ description: 'A delivery that was accepted; its workflow tells how it fares.' })
export class WebhookDeliveryPayload {
  @Field(() => ID)
  deliveryId: string;

  @Field(() => ID)
  workflowId: string;
}

@ObjectType({ description: 'How many failed deliveries are sent again.' })
export class RecoverWebhooksPayload {
  @Field(() => Int)
  recovered: number;

  @Field(() => Boolean, { description: 'Whether more have failed since: ask again with another key.' })
  hasMore: boolean;
}

@ObjectType({ description: 'A kind of change that webhooks report.' })
export class WebhookEventType {
  @Field(() => String)
  type: string;

  @Field(() => String)
  description: string;

  @Field(() => JsonObjectScalar, { description: 'JSON Schema (2020-12) of the whole body.' })
  schema: JsonObject;
}

export const WebhookEventTypeConnection = connectionOf('WebhookEventType', () => WebhookEventType);
