import type { HrTime } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import type {
  CollectionResult,
  DataPoint,
  Histogram,
  MetricData,
  MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

interface Sample extends MetricValue<string> {
  metricName?: string;
}

/**
 * Exports the metrics of the Prometheus registry to OpenTelemetry. They are counted once, so both show the
 * same values.
 */
export class RegistryProducer implements MetricProducer {
  private readonly startTime: HrTime = hrTime();

  constructor(
    private readonly registry: Registry,
    private readonly resource: Resource,
  ) {}

  async collect(): Promise<CollectionResult> {
    const found = (await this.registry.getMetricsAsJSON()) as MetricObjectWithValues<Sample>[];
    const metrics = found.flatMap((metric) => this.toData(metric) ?? []);
    const scopeMetrics = [{ scope: { name: 'partner-consent' }, metrics }];
    return { resourceMetrics: { resource: this.resource, scopeMetrics }, errors: [] };
  }

  private toData({ name, help, type, values }: MetricObjectWithValues<Sample>): MetricData | undefined {
    const kind = String(type);
    const described = {
      descriptor: { name, description: help, unit: '', valueType: 1 },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    if (kind === 'counter')
      return {
        ...described,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: this.points(values),
      };
    if (kind === 'gauge')
      return { ...described, dataPointType: DataPointType.GAUGE, dataPoints: this.points(values) };
    if (kind === 'histogram')
      return { ...described, dataPointType: DataPointType.HISTOGRAM, dataPoints: this.histograms(values) };
    return undefined;
  }

  private points(values: readonly Sample[]): DataPoint<number>[] {
    return values.map(({ labels, value }) => this.point(labels, value));
  }

  private point<T>(labels: Sample['labels'], value: T): DataPoint<T> {
    return {
      startTime: this.startTime,
      endTime: hrTime(),
      attributes: { ...labels } as Record<string, string>,
      value,
    };
  }

  /** Converts buckets: those of Prometheus are cumulative, those of OpenTelemetry are not. */
  private histograms(values: readonly Sample[]): DataPoint<Histogram>[] {
    const series = new Map<string, Sample[]>();
    for (const sample of values) {
      const { le: _bound, ...labels } = sample.labels;
      const key = JSON.stringify(labels);
      series.set(key, [...(series.get(key) ?? []), sample]);
    }
    return [...series].map(([key, samples]) =>
      this.point(JSON.parse(key) as Sample['labels'], histogramOf(samples)),
    );
  }
}

function histogramOf(samples: readonly Sample[]): Histogram {
  const buckets = samples.filter(({ labels }) => labels['le'] !== undefined);
  const boundaries = buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite);
  const counts = buckets.map(({ value }, place) => value - (buckets[place - 1]?.value ?? 0));
  const ending = (suffix: string): number =>
    samples.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
  return { buckets: { boundaries, counts }, sum: ending('_sum'), count: ending('_count') };
}
