import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  EVENT_CATALOGUE,
  EVENT_TYPES,
  isSubscribable,
  narrowedTo,
} from '../../../src/domain/webhooks/eventCatalogue.js';
import { PURPOSES } from '../../../src/domain/purposes.js';
import type { WebhookData, WebhookEventType } from '../../../src/domain/webhooks/eventCatalogue.js';

const session = {
  session_id: 'cs_1',
  customer_id: 'cus_1',
  approved_purposes: ['analytics'],
  consent_receipt_id: 'rcp_1',
} as const;
const entry = { entry_id: 'e'.repeat(128), ontology: 'o'.repeat(64), checksum: `sha256:${'a'.repeat(64)}` };
const at = '2026-01-01T00:00:00.000Z';

/**
 * One whole sample of each type: the compiler holds it to `WebhookData`, the test to the published schema.
 */
const SAMPLES: { [T in WebhookEventType]: Required<WebhookData[T]> } = {
  'consent.granted': { receipt_id: 'rcp_1', customer_id: 'cus_1', purposes: PURPOSES, granted_at: at },
  'consent.revoked': {
    receipt_id: 'rcp_1',
    customer_id: 'cus_1',
    purposes: PURPOSES,
    revoked_at: at,
    workflow_id: 'wf_1',
  },
  'connection_session.authorized': { ...session, status: 'authorized' },
  'connection_session.completed': { ...session, status: 'completed' },
  'connection_session.expired': { ...session, status: 'expired' },
  'connection_session.revoked': { ...session, status: 'revoked' },
  'profile.updated': { customer_id: 'cus_1', purposes: PURPOSES, updated_at: at },
  'intent.updated': {
    intent_id: 'int_1',
    customer_id: 'cus_1',
    category: 'habit',
    consent_purpose: 'analytics',
    updated_at: at,
  },
  'entry.created': entry,
  'entry.updated': entry,
  'event.rejected': {
    event_id: 'evt_1',
    customer_id: 'cus_1',
    consent_purpose: 'analytics',
    error_code: 'consent_denied',
  },
  'workflow.completed': { workflow_id: 'wf_1', workflow_type: 'profile_recompute', status: 'completed' },
  'workflow.failed': {
    workflow_id: 'wf_1',
    workflow_type: 'profile_recompute',
    status: 'failed',
    error_code: 'internal_error',
  },
  'webhook.test': { endpoint_id: 'whe_1' },
};

interface BodySchema {
  properties: {
    type: { const: string };
    data: { required: string[]; properties: Record<string, { const?: string }> };
  };
}

describe('eventCatalogue', () => {
  it('names the promised types', () => {
    expect(EVENT_TYPES).to.have.members([
      ...[
        'consent.granted',
        'consent.revoked',
        'profile.updated',
        'intent.updated',
        'entry.created',
        'entry.updated',
      ],
      ...[
        'connection_session.authorized',
        'connection_session.completed',
        'connection_session.expired',
        'connection_session.revoked',
      ],
      ...['event.rejected', 'workflow.completed', 'workflow.failed', 'webhook.test'],
    ]);
    for (const type of [...EVENT_TYPES, '*']) expect(isSubscribable(type)).to.equal(true);
    for (const name of ['consent', 'consent.*', 'toString', '', 'Consent.granted'])
      expect(isSubscribable(name), name).to.equal(false);
  });

  it('describes exactly the fields that are sent', () => {
    for (const { type, schema } of EVENT_CATALOGUE) {
      const { properties } = schema as unknown as BodySchema;
      const sample = SAMPLES[type] as Record<string, unknown>;
      expect(properties.type.const).to.equal(type);
      expect(Object.keys(properties.data.properties), type).to.have.members(Object.keys(sample));
      expect(Object.keys(sample), type).to.include.members(properties.data.required);
      if (properties.data.properties['status'])
        expect(properties.data.properties['status'].const).to.equal(sample['status']);
    }
  });

  it('is listed in docs/webhooks.md with the fields of each type', () => {
    const rows = readFileSync('docs/webhooks.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    for (const { type, data } of EVENT_CATALOGUE) {
      const [group = '', name = ''] = type.split('.');
      const row = rows.find(
        (line) =>
          line.includes(`\`${type}\``) || (line.includes(`\`${group}.`) && line.includes(`\`.${name}\``)),
      );
      expect(row, type).to.be.a('string');
      for (const field of Object.keys(data)) expect(row, type).to.include(`\`${field}\``);
    }
  });

  it('keeps every body thin', () => {
    for (const type of EVENT_TYPES)
      expect(Buffer.byteLength(JSON.stringify({ type, timestamp: at, data: SAMPLES[type] }))).to.be.below(
        2048,
      );
  });

  it('narrows the purposes of a message to those still open', () => {
    expect(
      narrowedTo({ customer_id: 'cus_1', purposes: ['analytics', 'support'] }, 'purposes', ['support']),
    ).to.deep.equal({
      customer_id: 'cus_1',
      purposes: ['support'],
    });
    expect(narrowedTo({ endpoint_id: 'whe_1' }, 'purposes', [])).to.deep.equal({ endpoint_id: 'whe_1' });
  });
});
