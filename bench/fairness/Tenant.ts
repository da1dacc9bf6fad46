import { randomUUID } from 'node:crypto';
import { callService } from '../speed/callService.js';

const ADMIN_KEY = 'bench-admin-key-0123456789';
const SCOPES = [
  'customers:read',
  'customers:write',
  'consent:read',
  'consent:write',
  'events:write',
  'profile:read',
  'profiles:read',
  'claims:read',
];

/** An app of the fairness bench and what it does. */
export class Tenant {
  readonly port: number;
  readonly token: string;

  constructor(port: number, token: string) {
    this.port = port;
    this.token = token;
  }

  static get adminKey(): string {
    return ADMIN_KEY;
  }

  static async register(port: number, name: string): Promise<Tenant> {
    const url = `http://127.0.0.1:${port}`;
    const made = await fetch(`${url}/v1/apps`, {
      method: 'POST',
      headers: {
        'x-service-admin-key': ADMIN_KEY,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        name,
        redirect_uris: ['https://bench.example/callback'],
        allowed_scopes: SCOPES,
      }),
    });
    const { app_id, client_secret } = (await made.json()) as { app_id: string; client_secret: string };
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app_id}:${client_secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES.join(' ') }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    return new Tenant(port, access_token);
  }

  /** A customer with a grant and so many claims. */
  async customer(claims: number): Promise<{ id: string; receiptId: string }> {
    const { customer } = await this.send<{ customer: { id: string } }>(201, '/v1/customers', {
      external_id: randomUUID(),
    });
    const receiptId = await this.grant(customer.id);
    const batch = Array.from({ length: claims }, (_, index) => this.claim(customer.id, index));
    if (claims > 0) await this.send(202, '/v1/claims/batch', { claims: batch });
    return { id: customer.id, receiptId };
  }

  async grant(customerId: string): Promise<string> {
    const receipt = {
      customer_id: customerId,
      purposes: ['analytics'],
      terms_version: '1',
      privacy_policy_version: '1',
    };
    return (await this.send<{ id: string }>(201, '/v1/consent-receipts', receipt)).id;
  }

  async revoke(receiptId: string): Promise<void> {
    await this.send(202, `/v1/consent-receipts/${receiptId}/revoke`, {});
  }

  async profile(id: string): Promise<void> {
    await callService({ port: this.port, token: this.token, expect: 200 }, 'GET', `/v1/profiles/${id}`);
  }

  /** The body of a claim. */
  claim(customerId: string, index: number): Record<string, unknown> {
    return {
      customer_id: customerId,
      attribute: `attribute_${index}`,
      value: 'v'.repeat(300),
      source: 'bench',
      consent_purpose: 'analytics',
      confidence: 0.9,
      observed_at: '2026-01-02T03:04:05.000Z',
      provenance: { source_partner: 'bench', collected_at: '2026-01-02T03:04:05.000Z' },
    };
  }

  graphql(query: string): Promise<number> {
    return this.ask('POST', '/graphql', { query });
  }

  /** The status of the answer, which is read whole. */
  async ask(method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  private send<Answer>(expect: number, path: string, body: object): Promise<Answer> {
    return callService<Answer>({ port: this.port, token: this.token, expect }, 'POST', path, body);
  }
}
