import { Counter } from 'prom-client';

/** Registered with the registry of the process. */
export const primaryChanges = new Counter({
  name: 'database_primary_changes_total',
  help: 'How often another host of DATABASE_URL was found to be the primary, over all pools of this process',
  registers: [],
});
