import { createHash } from 'node:crypto';
import type { TestPartner } from '../support/TestPartner.js';
import type { TestService } from '../support/TestService.js';
import type { Scope } from '../../src/domain/scopes.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke } from '../support/records.js';

/** What the generic tests need to know of a route: they do the rest from the route itself. */
export interface RouteCase {
  /** The scope that opens it. `admin`: only the administrative key does. */
  needs: Scope | 'admin';
  /** A path that leads to something of the app, made for the purpose. */
  path: (app: TestPartner, service: TestService) => Promise<string> | string;
  /** A body that is accepted for that path. */
  body?: (app: TestPartner, service: TestService, path: string) => Promise<object> | object;
  /** A field of the body that names another record: another app's is refused as unknown. */
  reference?: { field: string; foreign: (other: TestPartner, service: TestService) => Promise<string> };
}

let count = 0;
const fresh = (kind: string): string => `${kind}-${(count += 1)}`;

const BOOKS = {
  name: 'Books',
  version: '1',
  fields: [{ name: 'isbn', type: 'string', required: true }],
  identity_fields: ['isbn'],
};

async function ontology(service: TestService): Promise<string> {
  const id = fresh('books');
  expectStatus(await service.admin.rest('PUT', `/v1/ontologies/${id}`, BOOKS), 201);
  return id;
}

async function entryBody(
  service: TestService,
): Promise<{ ontology: string; entry_name: string; fields: object }> {
  return { ontology: await ontology(service), entry_name: 'A book', fields: { isbn: fresh('isbn') } };
}

async function entry(app: TestPartner, service: TestService): Promise<string> {
  return expectStatus(await app.rest('POST', '/v1/entries', await entryBody(service)), 201).entry
    .entry_id as string;
}

async function receipt(app: TestPartner): Promise<string> {
  return grant(app, await makeCustomer(app), 'personalization', 'analytics');
}

async function session(app: TestPartner): Promise<string> {
  const body = { customer_id: await makeCustomer(app), requested_purposes: ['support'] };
  return expectStatus(await app.rest('POST', '/v1/connection-sessions', body), 201).session.id as string;
}

async function endpoint(app: TestPartner): Promise<string> {
  const body = { url: 'https://hooks.partner.example/in', enabled_events: ['*'] };
  return expectStatus(await app.rest('POST', '/v1/webhook-endpoints', body), 201).endpoint.id as string;
}

/** The app keeps the secret that its partner knows, however often the case rotates it. */
async function rotation({ appId, clientSecret }: TestPartner, service: TestService): Promise<string> {
  const kept = createHash('sha256').update(clientSecret).digest('hex');
  await service.sql('UPDATE apps SET client_secret_hash = $2 WHERE app_id = $1', [appId, kept]);
  return `/v1/apps/${appId}/rotate-secret`;
}

async function consenting(app: TestPartner): Promise<string> {
  const customer = await makeCustomer(app);
  await grant(app, customer, 'personalization', 'event_enrichment');
  return customer;
}

async function eventBody(app: TestPartner, service: TestService): Promise<object> {
  return {
    customer_id: await consenting(app),
    event_type: 'purchased',
    object: await entry(app, service),
    consent_purpose: 'event_enrichment',
    occurred_at: '2026-01-02T03:04:05.000Z',
  };
}

const CUSTOMER_REFERENCE = { field: 'customer_id', foreign: (other: TestPartner) => consenting(other) };

/** By operation. A new route needs a case here. */
export const routeCases: Readonly<Record<string, RouteCase>> = {
  createApp: {
    needs: 'admin',
    path: () => '/v1/apps',
    body: () => ({ name: 'Quay', redirect_uris: ['https://quay.example/cb'], allowed_scopes: ['apps:read'] }),
  },
  getApp: { needs: 'apps:read', path: (app) => `/v1/apps/${app.appId}` },
  updateApp: {
    needs: 'apps:write',
    path: (app) => `/v1/apps/${app.appId}`,
    body: () => ({ name: fresh('Quay') }),
  },
  rotateAppSecret: {
    needs: 'apps:write',
    path: rotation,
    body: () => ({ expire_current: 'in_24h' }),
  },

  createCustomer: {
    needs: 'customers:write',
    path: () => '/v1/customers',
    body: () => ({ external_id: fresh('member') }),
  },
  listCustomers: { needs: 'customers:read', path: () => '/v1/customers' },
  getCustomer: { needs: 'customers:read', path: async (app) => `/v1/customers/${await makeCustomer(app)}` },
  updateCustomer: {
    needs: 'customers:write',
    path: async (app) => `/v1/customers/${await makeCustomer(app)}`,
    body: () => ({ metadata: { tier: 'gold' } }),
  },
  deleteCustomer: {
    needs: 'customers:write',
    path: async (app) => `/v1/customers/${await makeCustomer(app)}`,
  },

  createConnectionSession: {
    needs: 'connections:write',
    path: () => '/v1/connection-sessions',
    body: async (app) => ({ customer_id: await makeCustomer(app), requested_purposes: ['support'] }),
    reference: CUSTOMER_REFERENCE,
  },
  listConnectionSessions: { needs: 'connections:read', path: () => '/v1/connection-sessions' },
  getConnectionSession: {
    needs: 'connections:read',
    path: async (app) => `/v1/connection-sessions/${await session(app)}`,
  },
  cancelConnectionSession: {
    needs: 'connections:write',
    path: async (app) => `/v1/connection-sessions/${await session(app)}`,
  },

  createConsentReceipt: {
    needs: 'consent:write',
    path: () => '/v1/consent-receipts',
    body: async (app) => ({ customer_id: await makeCustomer(app), purposes: ['analytics'] }),
    reference: CUSTOMER_REFERENCE,
  },
  listConsentReceipts: { needs: 'consent:read', path: () => '/v1/consent-receipts' },
  getConsentReceipt: {
    needs: 'consent:read',
    path: async (app) => `/v1/consent-receipts/${await receipt(app)}`,
  },
  revokeConsentReceipt: {
    needs: 'consent:write',
    path: async (app) => `/v1/consent-receipts/${await receipt(app)}/revoke`,
    body: () => ({ purposes: ['analytics'], reason: 'user_request', note: 'by telephone' }),
  },
  getEffectiveConsent: {
    needs: 'consent:read',
    path: async (app) => `/v1/customers/${await consenting(app)}/effective-consent`,
  },

  putOntology: {
    needs: 'admin',
    path: () => `/v1/ontologies/${fresh('books')}`,
    body: () => BOOKS,
  },
  listOntologies: { needs: 'ontologies:read', path: () => '/v1/ontologies' },
  getOntology: {
    needs: 'ontologies:read',
    path: async (_app, service) => `/v1/ontologies/${await ontology(service)}`,
  },
  rebuildOntology: {
    needs: 'ontologies:write',
    path: async (_app, service) => `/v1/ontologies/${await ontology(service)}/rebuild`,
  },

  createEntry: {
    needs: 'entries:write',
    path: () => '/v1/entries',
    body: (_app, service) => entryBody(service),
  },
  listEntries: { needs: 'entries:read', path: () => '/v1/entries' },
  getEntry: {
    needs: 'entries:read',
    path: async (app, service) => `/v1/entries/${await entry(app, service)}`,
  },
  replaceEntry: {
    needs: 'entries:write',
    path: async (app, service) => `/v1/entries/${await entry(app, service)}`,
    body: async (app, _service, path) => {
      const { ontology, fields } = expectStatus(await app.rest('GET', path), 200);
      return { ontology, fields, entry_name: 'Another name' };
    },
  },

  getProfile: { needs: 'profile:read', path: async (app) => `/v1/profiles/${await consenting(app)}` },
  listClaims: { needs: 'claims:read', path: async (app) => `/v1/profiles/${await consenting(app)}/claims` },
  listIntents: {
    needs: 'intents:read',
    path: async (app) => `/v1/profiles/${await consenting(app)}/intents`,
  },

  ingestClaim: {
    needs: 'events:write',
    path: () => '/v1/claims',
    body: async (app) => claimBody(await consenting(app)),
    reference: CUSTOMER_REFERENCE,
  },
  ingestClaims: {
    needs: 'events:write',
    path: () => '/v1/claims/batch',
    body: async (app) => ({ claims: [claimBody(await consenting(app))] }),
  },

  ingestEvent: {
    needs: 'events:write',
    path: () => '/v1/events',
    body: (app, service) => eventBody(app, service),
    reference: CUSTOMER_REFERENCE,
  },
  ingestEvents: {
    needs: 'events:write',
    path: () => '/v1/events/batch',
    body: async (app, service) => ({ events: [await eventBody(app, service)] }),
  },
  listEvents: { needs: 'events:read', path: () => '/v1/events' },
  getEvent: {
    needs: 'events:read',
    path: async (app, service) => {
      const accepted = expectStatus(await app.rest('POST', '/v1/events', await eventBody(app, service)), 202);
      return `/v1/events/${accepted.event_id as string}`;
    },
  },

  registerWebhookEndpoint: {
    needs: 'webhooks:write',
    path: () => '/v1/webhook-endpoints',
    body: () => ({ url: 'https://hooks.partner.example/in', enabled_events: ['*'] }),
  },
  listWebhookEndpoints: { needs: 'webhooks:read', path: () => '/v1/webhook-endpoints' },
  getWebhookEndpoint: {
    needs: 'webhooks:read',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}`,
  },
  updateWebhookEndpoint: {
    needs: 'webhooks:write',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}`,
    body: () => ({ status: 'disabled' }),
  },
  deleteWebhookEndpoint: {
    needs: 'webhooks:write',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}`,
  },
  rotateWebhookSecret: {
    needs: 'webhooks:write',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}/rotate-secret`,
  },
  testWebhookEndpoint: {
    needs: 'webhooks:write',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}/test`,
  },
  recoverWebhooks: {
    needs: 'webhooks:write',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}/recover`,
    body: () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  },
  listWebhookDeliveries: {
    needs: 'webhooks:read',
    path: async (app) => `/v1/webhook-endpoints/${await endpoint(app)}/deliveries`,
  },
  redeliverWebhook: {
    needs: 'webhooks:write',
    path: async (app) => {
      const id = await endpoint(app);
      const { delivery_id } = expectStatus(await app.rest('POST', `/v1/webhook-endpoints/${id}/test`), 202);
      return `/v1/webhook-endpoints/${id}/deliveries/${delivery_id as string}/redeliver`;
    },
  },
  listWebhookEventTypes: { needs: 'webhooks:read', path: () => '/v1/webhook-event-types' },

  listWorkflows: { needs: 'workflows:read', path: () => '/v1/workflows' },
  getWorkflow: {
    needs: 'workflows:read',
    path: async (app) => `/v1/workflows/${await revoke(app, await receipt(app))}`,
  },
};
