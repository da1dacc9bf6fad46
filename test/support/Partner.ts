import { randomUUID } from 'node:crypto';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON body; undefined when there is none. */
  body: unknown;
}

export interface Call {
  body?: unknown;
  /** Replaces the token of the app; null sends none. */
  token?: string | null;
  /** Replaces a fresh idempotency key; null sends none. */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
}

/** Sends one request as it is told and reads the answer; nothing is thrown for an error status. */
export async function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }), redirect: 'manual' });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
  };
}

/** A partner's back end: an app with its secret, which gets a token and calls both doors with it. */
export class Partner {
  readonly url: string;
  readonly appId: string;
  readonly clientSecret: string;
  /** Of every scope that the app may have. */
  readonly token: string;

  private constructor(url: string, appId: string, clientSecret: string, token: string) {
    this.url = url;
    this.appId = appId;
    this.clientSecret = clientSecret;
    this.token = token;
  }

  static async register(url: string, adminKey: string, app: Record<string, unknown>): Promise<Partner> {
    const headers = {
      'x-service-admin-key': adminKey,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const input = { name: 'Acme Outfitters', redirect_uris: ['https://acme.example/callback'], ...app };
    const { status, body } = await send('POST', `${url}/v1/apps`, headers, JSON.stringify(input));
    if (status !== 201) throw new Error(`The app was not created: ${status} ${JSON.stringify(body)}`);
    const { app_id, client_secret } = body as { app_id: string; client_secret: string };
    const scopes = (input as { allowed_scopes?: string[] }).allowed_scopes ?? [];
    return new Partner(url, app_id, client_secret, await requestToken(url, app_id, client_secret, scopes));
  }

  /** A token of some of the app's scopes. */
  async tokenFor(scopes: readonly string[]): Promise<string> {
    return requestToken(this.url, this.appId, this.clientSecret, scopes);
  }

  async get(path: string, call: Call = {}): Promise<Answer> {
    return this.call('GET', path, { idempotencyKey: null, ...call });
  }

  async post(path: string, body?: unknown, call: Call = {}): Promise<Answer> {
    return this.call('POST', path, { body, ...call });
  }

  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { token = this.token, idempotencyKey = randomUUID(), body, headers = {} } = call;
    const sent = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    return send(method, this.url + path, sent, body === undefined ? undefined : asText(body));
  }

  /** The `data` and `errors` of a GraphQL operation. */
  async graphql(query: string, variables: object = {}, token: string | null = this.token): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    return send('POST', `${this.url}/graphql`, headers, JSON.stringify({ query, variables }));
  }
}

/** Text is sent as it is, so that malformed bodies can be. */
function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function requestToken(url: string, appId: string, secret: string, scopes: readonly string[]): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') });
  const headers = {
    authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { status, body } = await send('POST', `${url}/oauth/token`, headers, form.toString());
  if (status !== 200) throw new Error(`No token: ${status} ${JSON.stringify(body)}`);
  return (body as { access_token: string }).access_token;
}
