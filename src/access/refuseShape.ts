import { refuseUsedKey } from '../commands/runCommand.js';
import { validationFailed } from '../errors.js';
import type { InputShape } from './inputShape.js';
import type { RequestContext } from './RequestContext.js';

/**
 * Refuses a malformed input after checking the key: a used key belongs to another payload
 * (docs/contract.md#idempotency).
 */
export async function refuseShape(
  context: RequestContext,
  key: string,
  { problems }: InputShape,
): Promise<never> {
  await refuseUsedKey(context, key);
  throw validationFailed(problems);
}
