import { Counter } from 'prom-client';

/** Records appended to ledgers of consent; registered with the registry of the process. */
export const ledgerRecords = new Counter({
  name: 'consent_ledger_records_total',
  help: 'Records that this process appended to ledgers of consent',
  registers: [],
});
