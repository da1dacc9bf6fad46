import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Writes that shared a transaction; registered with the registry of the process. */
export const groupedWrites = new Counter({
  name: 'grouped_writes_total',
  help: 'Writes that were put into one transaction with others of their app',
  registers: [],
});

/** Transactions of several writes; registered with the registry of the process. */
export const writeGroups = new Counter({
  name: 'write_groups_total',
  help: 'Transactions of several writes: that went through together, or failed and were run write by write (apart)',
  labelNames: ['outcome'],
  registers: [],
});

// From zero on: `increase` and `rate` do not see the value with which a series begins.
for (const outcome of ['together', 'apart']) writeGroups.inc({ outcome }, 0);

/** Records appended to ledgers of consent; registered with the registry of the process. */
export const ledgerRecords = new Counter({
  name: 'consent_ledger_records_total',
  help: 'Records that this process appended to ledgers of consent',
  registers: [],
});

/** Registers what commands count in this process. */
export function registerCommandMetrics(registry: Registry): void {
  registry.registerMetric(groupedWrites);
  registry.registerMetric(writeGroups);
  registry.registerMetric(ledgerRecords);
}
