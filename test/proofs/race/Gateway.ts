import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Json } from '../../support/TestPartner.js';

export interface Ask {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** The idempotency key of a write. */
  key?: string;
}

export interface GatewayAnswer {
  status: number;
  body: Json;
}

/** What a killed, stopped or starting process does to a request. */
const FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** One process of the service, asked as an app over connections that are kept. Cheaper than `fetch`. */
export class Gateway {
  private readonly url: URL;
  private readonly token: () => string;
  private readonly agent = new Agent({ keepAlive: true });

  constructor(url: string, token: () => string) {
    this.url = new URL(url);
    this.token = token;
  }

  /** @returns nothing where a fault left no answer */
  ask(ask: Ask): Promise<GatewayAnswer | undefined> {
    return this.exchange(ask).catch((error: NodeJS.ErrnoException) => {
      if (FAULTS.has(error.code ?? '')) return undefined;
      throw error;
    });
  }

  private exchange({ method, path, body, key }: Ask): Promise<GatewayAnswer> {
    const { hostname, port } = this.url;
    const headers = {
      authorization: `Bearer ${this.token()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ agent: this.agent, hostname, port, method, path, headers }, (response) => {
        readWhole(response).then(resolve, reject);
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

async function readWhole(response: IncomingMessage): Promise<GatewayAnswer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return {
    status: response.statusCode ?? 0,
    body: JSON.parse(Buffer.concat(parts).toString()) as Json,
  };
}
