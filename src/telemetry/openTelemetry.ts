import { randomUUID } from 'node:crypto';
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Registry } from 'prom-client';
import { RegistryProducer } from './RegistryProducer.js';
import type { Headers, OpenSpan, SpanStart, Tracing } from './tracing.js';

export interface TelemetryOptions {
  /** The base of the OTLP/HTTP endpoints `/v1/traces` and `/v1/metrics`. */
  endpoint: string;
  version: string;
  role: string;
  registry: Registry;
  /** The interval of sending metrics, in milliseconds. */
  metricsEveryMs: number;
  onError(message: string): void;
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/**
 * Tracing by OpenTelemetry. Its packages read their own `OTEL_*` variables (headers, sampler, service name).
 */
export function openTelemetry(options: TelemetryOptions): { tracing: Tracing; stop: () => Promise<void> } {
  const { endpoint, version, role, registry, metricsEveryMs, onError } = options;
  const report = (message: string): void => onError(message);
  const silent = (): void => undefined;
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  const own = resourceFromAttributes({
    'service.name': 'partner-consent',
    'service.version': version,
    // In containers every process has the same number.
    'service.instance.id': `${role}-${randomUUID()}`,
  });
  const resource = own.merge(detectResources({ detectors: [envDetector] }));
  const spans = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [spans] });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(metricsEveryMs, 10_000),
    metricProducers: [new RegistryProducer(registry, resource)],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const stop = async (): Promise<void> => {
    await Promise.allSettled([provider.shutdown(), meters.shutdown()]);
    context.disable();
    propagation.disable();
    diag.disable();
  };
  return { tracing: tracingBy(provider), stop };
}

function tracingBy(provider: BasicTracerProvider): Tracing {
  const tracer = provider.getTracer('partner-consent');
  return {
    async inSpan<T>({ name, kind, attributes }: SpanStart, work: () => Promise<T>): Promise<T> {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: attributes as Attributes });
      try {
        return await context.with(trace.setSpan(context.active(), span), work);
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    open({ name, kind, attributes }: SpanStart, headers: Headers): OpenSpan {
      const parent = propagation.extract(ROOT_CONTEXT, headers);
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes: attributes as Attributes },
        parent,
      );
      return {
        within: (work) => context.with(trace.setSpan(parent, span), work),
        end: (finalName, more, failed) => {
          span.updateName(finalName).setAttributes(more as Attributes);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    headers: () => {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      return carrier;
    },
  };
}

/** Records only the kind of failure, as messages may contain values. */
function fail(span: Span, error: unknown): void {
  const type = error instanceof Error && 'code' in error ? String(error.code) : 'error';
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}
