import type { IncomingMessage, ServerResponse } from 'node:http';

const BASE_URL = Symbol('base URL');

type Documented = ServerResponse & { [BASE_URL]?: string };

/** Tells every response where the service's documentation is, so that a refusal can lead there. */
export function documentedAt(baseUrl: string) {
  return (_request: IncomingMessage, response: Documented): void => {
    response[BASE_URL] = baseUrl;
  };
}

/** The base URL of the service that answers; empty where nobody told. */
export function baseUrlOf(response: Documented): string {
  return response[BASE_URL] ?? '';
}
