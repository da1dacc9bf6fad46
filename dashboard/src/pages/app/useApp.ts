import { useRef } from 'react';
import { useQuery } from '../../client/useQuery.ts';
import type { Failure } from '../../client/failure.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { AppQuery } from '../../gql/graphql.ts';
import { session } from '../../session.ts';

const APP = graphql(`
  query App($id: ID!) {
    app(id: $id) {
      id
      name
      clientId
      clientType
      status
      redirectUris
      allowedScopes
      grantedScopes
      allowedConsentPurposes
      grantedConsentPurposes
      clientUri
      tosUri
      policyUri
      logoUri
      createdAt
      updatedAt
    }
  }
`);

export type App = NonNullable<AppQuery['app']>;

/** Failures that say nothing about the app. */
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED']);

/**
 * The app that the person is signed in for. When it cannot be read again, the last answer stays, and with it
 * what the person has typed.
 */
export function useApp(): { app: App | undefined; failure: Failure | undefined; retry: () => void } {
  const [result, read] = useQuery({ query: APP, variables: { id: session.app.id } });
  const last = useRef<App>(undefined);
  const failure = failureOf(result.error, 'app');
  const isPassing = PASSING.has(failure?.code ?? '') && last.current !== undefined;
  if (!isPassing) last.current = result.data?.app ?? undefined;
  return {
    app: last.current,
    failure: isPassing ? undefined : failure,
    retry: () => read({ requestPolicy: 'network-only' }),
  };
}
