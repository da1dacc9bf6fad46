import { EVENT_TYPES, EVERY_TYPE, isSubscribable } from '../domain/webhooks/eventCatalogue.js';
import { endpointUrlProblems } from '../domain/webhooks/endpointUrl.js';
import type { ReceiverPolicy } from '../domain/webhooks/endpointUrl.js';
import { validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';

/** What is asked of an endpoint; what is absent is not checked. */
export interface EndpointWish {
  url?: string | null | undefined;
  enabledEvents?: readonly string[] | null | undefined;
}

/** @throws ServiceError `validation_failed` with every problem of the URL and of the event types */
export function checkEndpoint(wish: EndpointWish, policy: ReceiverPolicy): void {
  const problems = [...urlProblems(wish.url, policy), ...eventProblems(wish.enabledEvents ?? [])];
  if (problems.length > 0) throw validationFailed(problems);
}

function urlProblems(url: string | null | undefined, policy: ReceiverPolicy): ErrorDetail[] {
  return url === null || url === undefined ? [] : endpointUrlProblems(url, policy);
}

function eventProblems(names: readonly string[]): ErrorDetail[] {
  const known = [...EVENT_TYPES, EVERY_TYPE].join(', ');
  return names.flatMap((name, index) =>
    isSubscribable(name)
      ? []
      : [
          {
            code: 'unknown_event_type',
            message: `must be one of ${known}`,
            field: `enabled_events[${index}]`,
          },
        ],
  );
}
