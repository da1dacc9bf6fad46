/**
 * Where a table's rows are on a Citus cluster. Tables that are not named here and have no app stay on the
 * coordinator.
 */
export const REFERENCES = ['apps', 'accounts', 'ontologies'] as const;

/** Tables of apps' rows without row level security, co-located with the apps' other tables. */
export const UNPROTECTED = ['connection_links', 'account_links', 'work_queue'] as const;

/** The table whose co-location group all others join. */
export const FIRST = 'customers';

/** Tables of the apps: with row level security by `app_id`, or named above. `FIRST` comes first. */
export const SPREAD_TABLES = `
  SELECT c.relname AS name FROM pg_class c
   WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     AND (c.relrowsecurity OR c.relname = ANY ('{${UNPROTECTED.join()}}'))
       AND c.relname <> ALL ('{${REFERENCES.join()}}')
     AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'app_id')
   ORDER BY c.relname <> '${FIRST}', c.relname`;
