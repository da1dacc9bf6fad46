import { Counter } from 'prom-client';

/** Reads that a gate denied; registered with the registry of the process. */
export const gateDenials = new Counter({
  name: 'consent_gate_denied_total',
  help: 'Reads of a customer’s data that were denied, by purpose and by what denied them',
  labelNames: ['purpose', 'gate'],
  registers: [],
});
