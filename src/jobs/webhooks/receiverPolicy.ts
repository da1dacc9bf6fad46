import type { Config } from '../../config.js';
import type { ReceiverPolicy } from '../../domain/webhooks/endpointUrl.js';

/** Outside production a receiver may run on this machine, without TLS; nowhere else inside (decisions 17). */
export function receiverPolicy({ environment }: Pick<Config, 'environment'>): ReceiverPolicy {
  const relaxed = environment !== 'production';
  return { allowLoopback: relaxed, allowHttp: relaxed };
}
