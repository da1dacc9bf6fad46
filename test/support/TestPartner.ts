import { randomUUID } from 'node:crypto';

/** An answer of the service, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON of the body; undefined without one. */
  body: Json;
  text: string;
}

/** Loose on purpose: tests look into answers by name, and a wrong look fails the test. */
// eslint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface GraphqlAnswer extends Answer {
  data: Json;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, Json> }[];
}

const MUTATING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A fresh idempotency key. */
export function freshKey(): string {
  return `test-${randomUUID()}`;
}

/** Somebody who calls the service with the same credentials every time. */
export class TestPartner {
  readonly baseUrl: string;
  /** The app whose token this is; empty for the administrator and for nobody. */
  readonly appId: string;
  readonly clientSecret: string;
  readonly credentials: Readonly<Record<string, string>>;

  constructor(
    baseUrl: string,
    credentials: Readonly<Record<string, string>>,
    app: { appId: string; clientSecret: string } = { appId: '', clientSecret: '' },
  ) {
    this.baseUrl = baseUrl;
    this.credentials = credentials;
    this.appId = app.appId;
    this.clientSecret = app.clientSecret;
  }

  /** The same caller behind another node. */
  at(baseUrl: string): TestPartner {
    return new TestPartner(baseUrl, this.credentials, this);
  }

  /**
   * A request of `/v1`; a string body is sent as it is. Mutations carry a fresh key; a header of `''` is left
   * out.
   */
  async rest(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const sent: Record<string, string> = {
      ...this.credentials,
      ...(MUTATING.has(method) ? { 'idempotency-key': freshKey() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const kept = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return readAnswer(
      await fetch(this.baseUrl + path, {
        method,
        headers: kept,
        ...(text === undefined ? {} : { body: text }),
      }),
    );
  }

  /** An operation of `/graphql`. A `$key` that the query declares and nobody gave is filled in. */
  async graphql(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GraphqlAnswer> {
    const response = await fetch(`${this.baseUrl}/graphql`, {
      method: 'POST',
      headers: { ...this.credentials, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        query,
        variables: { ...(query.includes('$key') ? { key: freshKey() } : {}), ...variables },
      }),
    });
    const answer = await readAnswer(response);
    return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
  }
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
    text,
  };
}
