import type { WebhookMessage } from '../../src/domain/webhooks/WebhookMessage.js';
import type { ReceiverNetwork } from '../../src/jobs/webhooks/connectToReceiver.js';

/** Receivers on this machine, as development allows them. */
export const LOCAL_NETWORK: ReceiverNetwork = {
  policy: { allowLoopback: true, allowHttp: true },
  resolve: async () => [],
};

/** A change that no consent gates. */
export function entryMessage(entryId: string): WebhookMessage {
  return {
    type: 'entry.created',
    data: { entry_id: entryId, ontology: 'product', checksum: `sha256:${'0'.repeat(64)}` },
  };
}
