import { randomUUID } from 'node:crypto';

export interface Call {
  port: number;
  token: string;
  /** The expected status. */
  expect: number;
}

/** Sends one request to the REST interface. @throws Error on another status than the expected one */
export async function callService<Answer>(
  { port, token, expect }: Call,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(method === 'GET' ? {} : { 'idempotency-key': `bench-${randomUUID()}` }),
  };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const text = await response.text();
  if (response.status !== expect)
    throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Answer;
}
