/** SQL: a row for each session of this database that waits for a lock. */
export const LOCK_WAITERS = `SELECT FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`;
