import { Check, Entity, ForeignKey } from 'typeorm';
import type { EndpointHealth } from '../src/domain/webhooks/endpointHealth.js';
import type { WebhookEndpoint } from '../schema/types/Webhook.js';
import { Big, Integer, Key, Text, TextList, Time, oneOf } from './columns.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** A receiver of webhooks, its encrypted secrets and its delivery state. */
@Entity({ name: 'webhook_endpoints' })
@ForeignKey('apps', ['appId'], ['appId'], { onDelete: 'CASCADE' })
@Check('webhook_endpoints_status_check', oneOf('status', ['active', 'disabled']))
@Check('webhook_endpoints_disabled_reason_check', oneOf('disabled_reason', ['gone', 'failing', 'requested']))
export class WebhookEndpointEntity extends OfApp {
  @Key() endpointId: string;
  @Text() url: string;
  @TextList() enabledEvents: string[];
  @Text() status: 'active' | 'disabled';
  @Text({ nullable: true }) disabledReason: string | null;
  @Time({ nullable: true }) disabledAt: Date | null;
  /** Encrypted by `SecretBox`, as is the previous one. */
  @Text() secret: string;
  @Text({ nullable: true }) previousSecret: string | null;
  @Time({ nullable: true }) previousSecretExpiresAt: Date | null;
  /** The number of the latest attempted delivery, incremented under this row's lock. */
  @Big({ default: 0 }) lastSequence: number;
  @Integer({ default: 0 }) consecutiveFailures: number;
  @Time({ nullable: true }) failingSince: Date | null;
  @Time({ nullable: true }) pausedUntil: Date | null;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export const webhookEndpoints = new Table(WebhookEndpointEntity);

export type EndpointRow = RowOf<WebhookEndpointEntity>;

/** The columns that GraphQL and REST show; never a secret. */
const SHOWN = [
  'endpoint_id',
  'url',
  'enabled_events',
  'status',
  'disabled_reason',
  'created_at',
  'updated_at',
] as const;

export const ENDPOINT_COLUMNS = SHOWN.join(', ');

export type EndpointViewRow = Pick<EndpointRow, (typeof SHOWN)[number]>;

export function toEndpoint(row: EndpointViewRow): WebhookEndpoint {
  return {
    id: row.endpoint_id,
    url: row.url,
    enabledEvents: row.enabled_events,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function healthOf(row: EndpointRow): EndpointHealth {
  return {
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since,
    pausedUntil: row.paused_until,
  };
}
