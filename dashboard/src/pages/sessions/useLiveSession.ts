import { useLive } from '../../client/useLive.ts';
import { graphql } from '../../gql/index.ts';
import type { ConnectionSessionStatus } from '../../gql/graphql.ts';

const CHANGED = graphql(`
  subscription SessionChanged($id: ID!) {
    connectionSessionChanged(id: $id) {
      id
      status
      approvedPurposes
      consentReceiptId
      serviceUserId
    }
  }
`);

/** Keeps a session up to date for as long as it can change. */
export function useLiveSession(id: string, status: ConnectionSessionStatus | undefined): void {
  const isOpen = status === 'CREATED' || status === 'AUTHORIZED';
  useLive(CHANGED, { id }, { pause: !isOpen });
}

/** The same for a row of a list. */
export function LiveSession({ id, status }: { id: string; status: ConnectionSessionStatus }): null {
  useLiveSession(id, status);
  return null;
}
