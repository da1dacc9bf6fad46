import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { LiveChanges } from './LiveChanges.js';

/** Measures the number of open subscriptions. */
export function measureLive(registry: Registry, changes: LiveChanges): void {
  const gauge = new Gauge({
    name: 'graphql_subscriptions',
    help: 'Subscriptions that are open in this process',
    registers: [],
    collect() {
      this.set(changes.size);
    },
  });
  registry.registerMetric(gauge);
}
