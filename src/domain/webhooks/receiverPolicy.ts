import type { ReceiverPolicy } from './endpointUrl.js';

/** Outside production a receiver may run on this machine, without TLS (docs/webhooks.md#addresses). */
export function receiverPolicy({ environment }: { environment: string }): ReceiverPolicy {
  const relaxed = environment !== 'production';
  return { allowLoopback: relaxed, allowHttp: relaxed };
}
