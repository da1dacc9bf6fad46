import { atMost } from '../concurrency/atMost.js';
import type * as OpenTelemetry from './openTelemetry.js';
import type { TelemetryOptions } from './openTelemetry.js';
import type { Tracing } from './tracing.js';

export interface Telemetry {
  tracing: Tracing;
  /** Sends pending data and stops. */
  stop: () => Promise<void>;
}

/** Maximum wait for a collector at the end of the process, in milliseconds. */
const STOP_MS = 2000;

/**
 * Sends traces and metrics by OTLP/HTTP. OpenTelemetry is loaded only here.
 *
 * @throws Error when the optional packages `@opentelemetry/*` are not installed
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { openTelemetry } = await load();
  const { tracing, stop } = openTelemetry(options);
  const stopSoon = async (): Promise<void> => {
    await atMost(
      STOP_MS,
      stop().catch(() => undefined),
    );
  };
  return { tracing, stop: stopSoon };
}

async function load(): Promise<typeof OpenTelemetry> {
  try {
    return await import('./openTelemetry.js');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages @opentelemetry/* are not installed: install without --omit=optional.',
      { cause: error },
    );
  }
}
