import pg from 'pg';

/** Maximum wait for a host's connection, and for its answer, in milliseconds. */
const ANSWER_MS = 2000;

/** The state of a host that takes writes. */
export interface PrimaryState {
  url: string;
  /** Each promotion begins a timeline with a higher number. */
  timeline: number;
  /** Equal for two names of one server. */
  startedAt: string;
}

const STATE = `SELECT pg_is_in_recovery() AS standby, pg_postmaster_start_time()::text AS started_at,
  CASE WHEN pg_is_in_recovery() THEN '0'
    ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`;

/** The state of a host that takes writes; undefined for a standby. Rejects when it does not answer. */
export async function askHost(url: string): Promise<PrimaryState | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: 'consent-hosts',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; started_at: string; timeline: string }>(STATE);
    const [row] = rows;
    if (row === undefined || row.standby) return undefined;
    return { url, timeline: Number.parseInt(row.timeline, 16), startedAt: row.started_at };
  } finally {
    void client.end().catch(() => undefined);
  }
}
