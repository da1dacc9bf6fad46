import { useLive } from '../../client/useLive.ts';
import { graphql } from '../../gql/index.ts';
import type { EventStatus } from '../../gql/graphql.ts';

const CHANGED = graphql(`
  subscription EventChanged($id: ID!) {
    eventChanged(id: $id) {
      eventId
      status
      processedAt
      error {
        code
        message
      }
    }
  }
`);

/** Keeps an event up to date until it is processed. */
export function LiveEvent({ id, status }: { id: string; status: EventStatus }): null {
  const isOpen = status === 'ACCEPTED' || status === 'PROCESSING';
  useLive(CHANGED, { id }, { pause: !isOpen });
  return null;
}
