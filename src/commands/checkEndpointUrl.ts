import { endpointUrlProblems } from '../domain/webhooks/endpointUrl.js';
import type { ReceiverPolicy } from '../domain/webhooks/endpointUrl.js';
import { validationFailed } from '../errors.js';

/**
 * Checks a receiver's URL, if there is one, against the rules of this installation.
 *
 * @throws ServiceError `validation_failed` with every problem
 */
export function checkEndpointUrl(url: string | null | undefined, policy: ReceiverPolicy): void {
  if (url === null || url === undefined) return;
  const problems = endpointUrlProblems(url, policy);
  if (problems.length > 0) throw validationFailed(problems);
}
