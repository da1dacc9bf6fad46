import { tokenSource } from './tokenSource.js';
import type { Credentials } from './tokenSource.js';

export interface ReliableFetchOptions {
  /** The client's own credentials, or a function that gives an access token. */
  credentials?: Credentials;
  accessToken?: () => string | Promise<string>;
  /** Tries of one request in all; 5 by default. */
  maxAttempts?: number;
  fetch?: typeof fetch;
}

/** Codes after which the same request with the same key is right (docs: handle 403 and 409). */
const PASSING = new Set(['idempotency_in_progress', 'rate_limited', 'unavailable', 'internal_error']);

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * A `fetch` that follows the contract's rules: a bearer token, an `Idempotency-Key` for every change (the
 * same over tries), and a new try after failures of the network and answers that pass. `Retry-After` is kept
 * to.
 *
 * @throws TypeError the network's failure, when the last try failed too
 */
export function reliableFetch(
  baseUrl: string,
  options: ReliableFetchOptions,
): (request: Request) => Promise<Response> {
  const { maxAttempts = 5, credentials, accessToken } = options;
  const send = options.fetch ?? fetch;
  const token = accessToken ?? (credentials && tokenSource(baseUrl, credentials, send));
  return async (request) => {
    const prepared = await prepare(request, token);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= maxAttempts;
      const response = await send(prepared.clone()).catch((error: unknown) => {
        if (isLast) throw error;
        return undefined;
      });
      if (response !== undefined && (isLast || !(await mayRepeat(response)))) return response;
      await wait(secondsUntilNext(response, attempt));
    }
  };
}

async function prepare(
  request: Request,
  token: (() => string | Promise<string>) | undefined,
): Promise<Request> {
  const headers = new Headers(request.headers);
  if (token !== undefined && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${await token()}`);
  if (CHANGES.has(request.method) && !headers.has('idempotency-key'))
    headers.set('idempotency-key', crypto.randomUUID());
  return new Request(request, { headers });
}

async function mayRepeat(response: Response): Promise<boolean> {
  if (response.ok) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  return code === undefined ? response.status >= 502 && response.status <= 504 : PASSING.has(code);
}

/**
 * The server's wish, or 0.2, 0.4, 0.8 … seconds with a random part so that clients do not come back together.
 */
function secondsUntilNext(response: Response | undefined, attempt: number): number {
  const wish = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(wish) ? wish : 0.1 * 2 ** attempt * (0.5 + Math.random());
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
