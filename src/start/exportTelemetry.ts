import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import { startTelemetry } from '../telemetry/startTelemetry.js';
import type { Telemetry } from '../telemetry/startTelemetry.js';
import { VERSION } from '../version.js';

/** Starts the export of traces and metrics by OTLP, if an endpoint is configured. */
export async function exportTelemetry(
  { otlpEndpoint: endpoint, otlpMetricsMs: metricsEveryMs, role }: Config,
  registry: Registry,
  log: Logger,
): Promise<Telemetry | undefined> {
  if (endpoint === undefined) return undefined;
  const onError = (message: string): void => log.warn({ reason: message }, 'telemetry could not be sent');
  return startTelemetry({ endpoint, version: VERSION, role, registry, metricsEveryMs, onError });
}
