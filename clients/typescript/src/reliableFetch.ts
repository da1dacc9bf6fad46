import { TokenError, tokenSource } from './tokenSource.js';
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

/** Statuses after which it is right where the answer has no code, as from a proxy or from `/oauth/token`. */
const PASSING_STATUSES = new Set([429, 502, 503, 504]);

/** An answer that asks to wait longer, for instance until the next day, is given to the caller. */
const MAX_WAIT_SECONDS = 60;

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * A `fetch` that follows the contract's rules: a bearer token, an `Idempotency-Key` for every change (the
 * same over tries), and a new try after failures of the network and answers that pass. `Retry-After` is kept
 * to. A token of `credentials` that is refused is replaced once in a request.
 *
 * @throws TypeError the network's failure, when the last try failed too
 * @throws TokenError when the access token is refused
 * @throws what the request was aborted with
 */
export function reliableFetch(
  baseUrl: string,
  options: ReliableFetchOptions,
): (request: Request) => Promise<Response> {
  const { maxAttempts = 5, credentials, accessToken } = options;
  const send = options.fetch ?? fetch;
  const source =
    accessToken === undefined && credentials ? tokenSource(baseUrl, credentials, send) : undefined;
  const token = accessToken ?? source?.take;
  return async (request) => {
    const prepared = withKey(request);
    const { signal } = request;
    let renews = source !== undefined && !prepared.headers.has('authorization');
    for (let attempt = 1; ; attempt += 1) {
      const tried = prepared.clone();
      const outcome = await withToken(tried, token).then(send).then(readWhole).then(answered, failed);
      const hasEndedToken = renews && !('error' in outcome) && outcome.response.status === 401;
      if (hasEndedToken) {
        renews = false;
        source?.forget(tried.headers.get('authorization'));
      }
      const seconds = hasEndedToken ? 0 : secondsUntilNext(outcome.response, attempt);
      const mayWait = attempt < maxAttempts && seconds <= MAX_WAIT_SECONDS;
      if (!mayWait || !(hasEndedToken || (await mayRepeat(outcome.response)))) {
        if ('error' in outcome) throw outcome.error;
        return outcome.response;
      }
      await wait(seconds, signal);
    }
  };
}

/** How a try ended; an error has the answer that refused its token, if that is what it tells. */
type Outcome = { response: Response } | { error: unknown; response: Response | undefined };

/** The request with the key of all its tries. */
function withKey(request: Request): Request {
  const headers = new Headers(request.headers);
  if (CHANGES.has(request.method) && !headers.has('idempotency-key'))
    headers.set('idempotency-key', crypto.randomUUID());
  return new Request(request, { headers });
}

/** Reads the body too, so that an answer that is cut in it is a failure of the network like any other. */
async function readWhole(response: Response): Promise<Response> {
  return response.body === null ? response : new Response(await response.arrayBuffer(), response);
}

const answered = (response: Response): Outcome => ({ response });

const failed = (error: unknown): Outcome => ({
  error,
  response: error instanceof TokenError ? error.response : undefined,
});

/** The token is asked for at each try, as it may end while one waits. */
async function withToken(
  request: Request,
  token: (() => string | Promise<string>) | undefined,
): Promise<Request> {
  if (token !== undefined && !request.headers.has('authorization'))
    request.headers.set('authorization', `Bearer ${await unlessAborted(token(), request.signal)}`);
  return request;
}

/** Without an answer the network failed, which passes. */
async function mayRepeat(response: Response | undefined): Promise<boolean> {
  if (response === undefined) return true;
  if (response.ok) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  return code === undefined ? PASSING_STATUSES.has(response.status) : PASSING.has(code);
}

/**
 * The server's wish, or 0.2, 0.4, 0.8 … seconds with a random part so that clients do not come back together.
 */
function secondsUntilNext(response: Response | undefined, attempt: number): number {
  const wish = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(wish) ? wish : 0.1 * 2 ** attempt * (0.5 + Math.random());
}

/** @throws what the request was aborted with */
async function wait(seconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await unlessAborted(over, signal).finally(() => clearTimeout(timer));
}

/** @throws what the request was aborted with, while the work still goes on */
async function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
