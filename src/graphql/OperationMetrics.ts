import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/**
 * Maximum distinct operations; further ones are labelled `other`, so that a client cannot create unlimited
 * series.
 */
const MAX_OPERATIONS = 200;

const MAX_NAME = 80;

/** Measures the duration of `/graphql` operations by their root fields. */
export class OperationMetrics {
  private readonly seconds: Histogram<'operation' | 'outcome'>;
  private readonly known = new Set<string>();

  constructor(registry: Registry) {
    this.seconds = new Histogram({
      name: 'graphql_operation_duration_seconds',
      help: 'Time that an operation took, by its root fields; outcome: ok, or errors where the answer has some',
      labelNames: ['operation', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
      registers: [registry],
    });
  }

  observe(rootFields: string, milliseconds: number, hasErrors: boolean): void {
    const operation = this.labelOf(rootFields);
    this.seconds.observe({ operation, outcome: hasErrors ? 'errors' : 'ok' }, milliseconds / 1000);
  }

  private labelOf(rootFields: string): string {
    if (this.known.has(rootFields)) return rootFields;
    if (rootFields.length > MAX_NAME || this.known.size >= MAX_OPERATIONS) return 'other';
    this.known.add(rootFields);
    return rootFields;
  }
}
