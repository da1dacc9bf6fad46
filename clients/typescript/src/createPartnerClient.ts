import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { ClientPaths } from './ClientPaths.js';
import type { ReliableFetchOptions } from './reliableFetch.js';
import { reliableFetch } from './reliableFetch.js';

export interface PartnerClientOptions extends Omit<ReliableFetchOptions, 'fetch'> {
  /** The service's address, such as `https://consent.example`. */
  baseUrl: string;
  /** What sends requests; by default the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * A typed client of `/v1`. It takes tokens by client credentials (or from `accessToken`), gives every change
 * an idempotency key, and repeats what may be repeated with that key.
 */
export function createPartnerClient({ baseUrl, ...options }: PartnerClientOptions): Client<ClientPaths> {
  return createClient<ClientPaths>({ baseUrl, fetch: reliableFetch(baseUrl, options) });
}
