import pg from 'pg';
import type { Distribution } from './Distribution.js';
import { FirstFree } from './FirstFree.js';
import { HostList } from './hosts/HostList.js';
import { Primary } from './hosts/Primary.js';
import { primaryClient } from './hosts/primaryClient.js';
import { StandbyClient } from './hosts/StandbyClient.js';
import { rowTypes } from './types.js';

/** How the connections of a process are opened. */
export interface PoolOptions {
  /** The URL of one host, or of several hosts of which one is the primary. */
  url: string;
  poolSize: number;
  /** Maximum wait for a free connection, in milliseconds. */
  connectTimeoutMs?: number;
  /**
   * Whether statements are prepared by name, which most poolers in transaction mode do not support. Default:
   * true.
   */
  prepared?: boolean;
  /** Connections of the pool that only `urgent` work may use; absent: none. */
  reserved?: number;
  onError?: (error: Error) => void;
  /** Whether only standbys are connected to: for replicas, whose former primary is no replica. */
  standbyOnly?: boolean;
}

/**
 * How long an unused connection stays open. Its PostgreSQL process has planned the statements and mapped the
 * cache; a new process would repeat that. pg's default of ten seconds is shorter than a pause of a
 * dashboard's user.
 */
const IDLE_TIMEOUT_MS = 10 * 60_000;

/**
 * Silence on a connection after which TCP asks whether the server is still there, in milliseconds. Without an
 * answer the connection breaks ten seconds later.
 */
const KEEPALIVE_MS = 10_000;

/** The connections that a process shares. */
export interface Pools {
  login: Login;
  main: FirstFree;
  reserve: FirstFree | undefined;
  /** As reported by the server on the first connection. */
  distribution?: Distribution;
}

/** The class of clients that connect to the primary. */
interface Login {
  connectionString: string;
  Client: typeof pg.Client;
  /** Absent when the URL names one host and requires no check. */
  primary?: Primary;
}

function loginOf(url: string): Login {
  const hosts = new HostList(url);
  const [connectionString = url] = hosts.urls;
  if (!hosts.mustFindPrimary) return { connectionString, Client: pg.Client };
  const primary = new Primary(hosts.urls);
  return { connectionString, Client: primaryClient(primary), primary };
}

function standbyLogin(connectionString: string): Login {
  return { connectionString, Client: StandbyClient };
}

/** Some work uses two connections at once, so the reserve leaves that many. */
const MIN_MAIN = 2;

export function openPools(options: PoolOptions): Pools {
  const { poolSize, reserved = 0, url } = options;
  const login = options.standbyOnly === true ? standbyLogin(url) : loginOf(url);
  if (reserved === 0) return { login, main: openPool(options, login, poolSize), reserve: undefined };
  return {
    login,
    main: openPool(options, login, Math.max(MIN_MAIN, poolSize - reserved)),
    reserve: openPool(options, login, reserved),
  };
}

function openPool(options: PoolOptions, { Client, connectionString }: Login, max: number): FirstFree {
  const pool = new pg.Pool({
    connectionString,
    Client,
    max,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    types: rowTypes,
    application_name: 'consent-profile-service',
    // Behind a pooler without prepared statements nothing is sent before the previous answer.
    pipeline: options.prepared ?? true,
  });
  const report = (error: Error): void => options.onError?.(error);
  pool.on('error', report);
  // A connection that breaks while it is checked out also emits 'error' on the client. Without a listener
  // that would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return new FirstFree(pool);
}
