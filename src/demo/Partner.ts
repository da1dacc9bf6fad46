import { ServiceError } from '../errors.js';
import type { ErrorCode, ErrorDetail } from '../errors.js';

interface Refusal {
  error?: { code: ErrorCode; message: string; details?: ErrorDetail[] };
}

/** How long a service may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A minimal partner program: it registers, gets tokens, and calls REST and GraphQL over HTTP. */
export class Partner {
  private token = '';
  private renew: (() => Promise<void>) | undefined;
  private calls = 0;

  constructor(
    readonly baseUrl: string,
    readonly tell: (line: string) => void,
  ) {}

  async register(adminKey: string, app: Record<string, unknown>): Promise<void> {
    const { client_id, client_secret } = await this.rest<{ client_id: string; client_secret: string }>(
      'POST',
      '/v1/apps',
      app,
      {
        'x-service-admin-key': adminKey,
      },
    );
    await this.signIn(client_id, client_secret, app['allowed_scopes'] as string[]);
  }

  /**
   * Gets a token with the client credentials, and another whenever it is refused, as when it has ended.
   *
   * @throws ServiceError when the credentials are refused
   */
  async signIn(clientId: string, clientSecret: string, scopes: readonly string[]): Promise<void> {
    this.renew = () => this.signIn(clientId, clientSecret, scopes);
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await this.fetch('/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: scopes.join(' '),
      }),
    });
    if (!response.ok)
      throw new ServiceError(
        response.status < 500 ? 'unauthenticated' : 'unavailable',
        `The service gives no token: ${response.status} ${await response.text()}`,
      );
    const { access_token } = (await response.json()) as { access_token: string };
    this.tell(
      `POST /oauth/token → ${response.status} (client credentials; the token is good for 15 minutes)`,
    );
    this.token = access_token;
  }

  /** Calls `/v1` and returns the response body, whatever the status. */
  async rest<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await this.call(method, path, body, headers);
    this.tell(`${method} ${path} → ${response.status}`);
    return (response.status === 204 ? {} : await response.json()) as T;
  }

  /** Calls `/v1` and retries while the app is rate limited. @throws ServiceError for every other refusal */
  async send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const key = { 'idempotency-key': this.nextKey() };
    for (;;) {
      const answer = await this.rest<T & Refusal>(method, path, body, { ...key, ...headers });
      if (answer.error === undefined) return answer;
      const { code, message, details = [] } = answer.error;
      if (code !== 'rate_limited') throw new ServiceError(code, `${method} ${path}: ${message}`, { details });
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }

  async graphql<T>(query: string, variables: Record<string, unknown>): Promise<T> {
    const response = await this.call('POST', '/graphql', { query, variables });
    this.tell(`POST /graphql → ${response.status}`);
    return (await response.json()) as T;
  }

  /** Polls a workflow until it has completed or failed. Stops after 200 polls, 50 ms apart. */
  async finished(workflowId: string): Promise<string> {
    for (let tries = 0; tries < 200; tries += 1) {
      const response = await this.call('GET', `/v1/workflows/${workflowId}`);
      const { status } = (await response.json()) as { status: string };
      if (status === 'completed' || status === 'failed') return status;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return 'still running';
  }

  private async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const sent = { 'content-type': 'application/json', 'idempotency-key': this.nextKey() };
    const send = (): Promise<Response> =>
      this.fetch(path, {
        method,
        headers: {
          ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
          ...(method === 'GET' ? {} : sent),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const response = await send();
    if (response.status !== 401 || this.renew === undefined) return response;
    await this.renew();
    return send();
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.baseUrl}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    } catch {
      throw new ServiceError('unavailable', `No service answers at ${this.baseUrl}.`);
    }
  }

  private nextKey(): string {
    this.calls += 1;
    return `demo-${process.pid}-${Date.now()}-${this.calls}`;
  }
}
