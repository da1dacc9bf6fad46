import { ID, Int, ObjectType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { connectionOf } from '../connection.js';
import { WebhookDeliveryStatus, WebhookDisabledReason, WebhookEndpointStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ implements: Node, description: 'A receiver of webhooks.' })
export class WebhookEndpoint {
  @NonNull(() => ID) id: string;
  @NonNull(() => String) url: string;
  @NonNull(() => [String], 'Event types that are sent here; `*` is all.') enabledEvents: string[];
  @NonNull(() => WebhookEndpointStatus) status: 'active' | 'disabled';

  @Nullable(() => WebhookDisabledReason, 'It answered 410, failed for five days, or was disabled by request.')
  disabledReason?: string | null;

  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => DateTimeScalar) updatedAt: string;
}

export const WebhookEndpointConnection = connectionOf('WebhookEndpoint', () => WebhookEndpoint);

@ObjectType({ description: 'An endpoint with its signing secret, which is shown only here.' })
export class WebhookEndpointSecretPayload {
  @NonNull(() => WebhookEndpoint, 'The endpoint.') endpoint: WebhookEndpoint;

  @NonNull(() => String, 'Shown once: `whsec_` and base64 of 32 bytes (Standard Webhooks).')
  signingSecret: string;
}

@ObjectType({ description: 'One request to the endpoint and what came of it.' })
export class WebhookAttempt {
  @NonNull(() => Int, 'Counts from 1 over all attempts of the delivery.') attempt: number;
  @NonNull(() => DateTimeScalar, 'When it began.') startedAt: string;
  @NonNull(() => Int, 'How long it took, in milliseconds.') durationMs: number;
  @Nullable(() => Int, 'The HTTP status of the answer; absent when none came.') statusCode?: number | null;

  @Nullable(() => String, 'Why no answer came, such as `timeout` or `forbidden_address`.')
  errorCode?: string | null;

  @Nullable(
    () => String,
    'The first kilobyte of the answer, control characters replaced; absent when `body` is.',
  )
  responseBody?: string | null;
}

@ObjectType({ implements: Node, description: 'A message to one endpoint; its id is the `webhook-id`.' })
export class WebhookDelivery {
  @NonNull(() => ID) id: string;
  @NonNull(() => ID, 'The webhook endpoint, `whe_…`.') endpointId: string;

  @Nullable(
    () => String,
    'The JSON text that is sent; null since consent was withdrawn or the customer erased.',
  )
  body?: string | null;

  @NonNull(() => String) eventType: string;
  @NonNull(() => WebhookDeliveryStatus) status: string;

  @Nullable(
    () => String,
    'Why it was not delivered: `delivery_failed`, `endpoint_disabled`, `consent_withdrawn`, `customer_erased`, `app_disabled`.',
  )
  errorCode?: string | null;

  @Nullable(() => Int, 'The `webhook-sequence`; absent before the first attempt.') sequence?: number | null;
  @NonNull(() => [WebhookAttempt], 'Oldest first; the latest fifty.') attempts: WebhookAttempt[];

  @Nullable(
    () => DateTimeScalar,
    'When it is tried next, while it is pending and no attempt is under way; not before the end of a pause of its endpoint.',
  )
  nextAttemptAt?: string | null;

  @Nullable(() => ID) workflowId?: string | null;
  @NonNull(() => DateTimeScalar) createdAt: string;
}

export const WebhookDeliveryConnection = connectionOf('WebhookDelivery', () => WebhookDelivery);

@ObjectType({ description: 'A delivery that was accepted; its workflow tells how it fares.' })
export class WebhookDeliveryPayload {
  @NonNull(() => ID, 'The delivery, `whd_…`; the `webhook-id` of its messages.') deliveryId: string;
  @NonNull(() => ID) workflowId: string;
}

@ObjectType({ description: 'How many failed deliveries are sent again.' })
export class RecoverWebhooksPayload {
  @NonNull(() => Int, 'How many failed deliveries are sent again, at most 1,000 for one call.')
  recovered: number;
  @NonNull(() => Boolean, 'Whether more have failed since: ask again with another key.') hasMore: boolean;
}

@ObjectType({ description: 'A kind of change that webhooks report.' })
export class WebhookEventType {
  @NonNull(() => String, 'The name, such as `consent.revoked`.') type: string;
  @NonNull(() => String, 'What it means.') description: string;
  @NonNull(() => JsonObjectScalar, 'JSON Schema (2020-12) of the whole body.') schema: JsonObject;
}

export const WebhookEventTypeConnection = connectionOf('WebhookEventType', () => WebhookEventType);
