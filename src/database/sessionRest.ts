/** PostgreSQL ends the session of a transaction that is open for so long without a statement, in minutes. */
export const MAX_REST_MINUTES = 3;
