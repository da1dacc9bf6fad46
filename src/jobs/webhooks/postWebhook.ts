import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { KEPT_ANSWER_BYTES } from '../../domain/webhooks/sanitizeAnswer.js';
import { AttemptFailure } from './AttemptFailure.js';
import type { ReceiverConnection, ReceiverConnections } from './ReceiverConnections.js';

/**
 * Time limit from resolving the name to the end of the answer, without the decision between them
 * (docs/webhooks.md#register-and-receive).
 */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** Time limit for an answer's body after its status line. The body is only stored for the partner. */
const BODY_TIMEOUT_MS = 1000;

/**
 * Time limit for passing a request to the operating system. An empty socket buffer holds many such requests.
 */
const WRITE_TIMEOUT_MS = 1000;

export interface WebhookRequest {
  url: string;
  /**
   * Called when the connection is open. It decides whether to send, and if so calls `send`, which resolves
   * when the whole request was passed to the operating system. An error that it throws aborts the attempt.
   * Called again when a kept connection broke without an answer.
   */
  decide: (send: Send) => Promise<void>;
  timeoutMs?: number;
  /** Aborts the attempt when the service stops. */
  signal?: AbortSignal;
}

export type Send = (request: PreparedRequest) => Promise<void>;

export interface PreparedRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Answer {
  statusCode: number;
  retryAfter: string | undefined;
  /** At most the first `KEPT_ANSWER_BYTES`. */
  body: Buffer;
}

/**
 * Posts one webhook: no redirects, no proxy from the environment, and only as much of the answer read as is
 * stored. A kept connection may have been closed by the receiver in the same moment: when it breaks without
 * an answer, the webhook is posted once more, over a new one.
 *
 * @returns the answer, or `null` when nothing was sent
 * @throws AttemptFailure when there is no answer in time
 */
export async function postWebhook(
  request: WebhookRequest,
  connections: ReceiverConnections,
): Promise<Answer | null> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new AttemptFailure('interrupted', 'The service stopped.'));
  if (request.signal?.aborted) stop();
  request.signal?.addEventListener('abort', stop, { once: true });
  const expire = (): void =>
    controller.abort(new AttemptFailure('timeout', 'The receiver did not answer in time.'));
  const limit = new Limit(request.timeoutMs ?? ATTEMPT_TIMEOUT_MS, expire);
  const decide = (send: Send): Promise<void> => {
    limit.pause();
    return request.decide((prepared) => {
      limit.run();
      return send(prepared);
    });
  };
  limit.run();
  try {
    return await orAborted(
      attempt({ ...request, decide }, connections, controller.signal),
      controller.signal,
    );
  } catch (error) {
    // Closes what is still open: the socket, a handshake, a partial request.
    controller.abort(error);
    throw error;
  } finally {
    limit.pause();
    request.signal?.removeEventListener('abort', stop);
  }
}

/** A time limit that is paused while the decision is waited for: the receiver is not at fault for that. */
class Limit {
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private leftMs: number,
    private readonly expire: () => void,
  ) {}

  run(): void {
    this.since = performance.now();
    this.timer = setTimeout(this.expire, this.leftMs);
  }

  pause(): void {
    clearTimeout(this.timer);
    this.leftMs -= performance.now() - this.since;
  }
}

async function attempt(
  request: WebhookRequest,
  connections: ReceiverConnections,
  signal: AbortSignal,
): Promise<Answer | null> {
  const url = new URL(request.url);
  const kept = connections.takeKept(url);
  try {
    if (kept !== undefined) return await postOver(kept, url, request, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof AttemptFailure && error.code === 'connection_failed'))
      throw error;
  }
  return postOver(await connections.open(url, signal), url, request, signal);
}

async function postOver(
  connection: ReceiverConnection,
  url: URL,
  { decide }: WebhookRequest,
  signal: AbortSignal,
): Promise<Answer | null> {
  const { socket } = connection;
  const close = (): void => void socket.destroy();
  signal.addEventListener('abort', close, { once: true });
  let answer: Promise<Answer> | undefined;
  try {
    signal.throwIfAborted();
    await decide(async (prepared) => {
      signal.throwIfAborted();
      if (!socket.writable)
        throw new AttemptFailure('connection_failed', 'The receiver closed the connection.');
      const outgoing = openRequest(url, connection, prepared);
      answer = answerTo(outgoing);
      // Awaited below. Until then its failure must not be an unhandled rejection.
      answer.catch(() => undefined);
      await written(outgoing, prepared.body);
    });
    if (answer !== undefined) return await answer;
    close();
    return null;
  } catch (error) {
    close();
    throw error;
  }
}

function openRequest(url: URL, agent: ReceiverConnection, { headers, body }: PreparedRequest): ClientRequest {
  return http.request({
    agent,
    method: 'POST',
    host: url.host,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
    setHost: false,
    maxHeaderSize: 16_384,
  });
}

/** The caller may hold a lock until this resolves, so a receiver that takes no bytes fails soon. */
function written(request: ClientRequest, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      request.destroy();
      reject(new AttemptFailure('connection_failed', 'The request could not be written.'));
    };
    const timer = setTimeout(fail, WRITE_TIMEOUT_MS);
    request.once('close', fail);
    request.end(body, () => {
      request.off('close', fail);
      clearTimeout(timer);
      resolve();
    });
  });
}

function answerTo(request: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const broken = (): void =>
      reject(new AttemptFailure('connection_failed', 'The connection ended before an answer came.'));
    request.once('response', (response) => {
      request.off('close', broken);
      resolve(readAnswer(response));
    });
    request.on('error', (error) => reject(failureOf(error)));
    // An upgrade would hand over the raw socket, which is of no use here.
    request.once('upgrade', () =>
      reject(new AttemptFailure('invalid_answer', 'The receiver asked for another protocol.')),
    );
    request.once('close', broken);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const body = await firstBytes(response);
  return { statusCode: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body };
}

/**
 * Reads until there are enough bytes, the answer ends or breaks, or time is up. The status is known already.
 */
function firstBytes(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      response.destroy();
      resolve(Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES));
    };
    const timer = setTimeout(finish, BODY_TIMEOUT_MS);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= KEPT_ANSWER_BYTES) finish();
    });
    response.once('end', finish);
    response.on('error', finish);
    response.once('close', finish);
  });
}

function failureOf(error: Error): AttemptFailure {
  const invalid = 'code' in error && String(error.code).startsWith('HPE_');
  if (invalid) return new AttemptFailure('invalid_answer', 'The answer was not HTTP.');
  return new AttemptFailure('connection_failed', 'The connection broke before an answer came.');
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
  // The promise that loses the race is ignored.
  work.catch(() => undefined);
  aborted.catch(() => undefined);
  return Promise.race([work, aborted]);
}
