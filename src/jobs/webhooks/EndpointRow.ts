import type { EndpointHealth } from '../../domain/webhooks/endpointHealth.js';

/** A row of `webhook_endpoints`. */
export interface EndpointRow extends Record<string, unknown> {
  app_id: string;
  endpoint_id: string;
  url: string;
  enabled_events: string[];
  status: 'active' | 'disabled';
  disabled_reason: string | null;
  disabled_at: string | null;
  secret: string;
  previous_secret: string | null;
  previous_secret_expires_at: string | null;
  last_sequence: number;
  consecutive_failures: number;
  failing_since: string | null;
  paused_until: string | null;
  created_at: string;
  updated_at: string;
}

export function healthOf(row: EndpointRow): EndpointHealth {
  return {
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since,
    pausedUntil: row.paused_until,
  };
}
