import { useEffect } from 'react';
import { nameInText } from '../../../../src/domain/displayName.ts';
import { useQuery } from '../../client/useQuery.ts';
import type { Failure } from '../../client/failure.ts';
import { failureOf } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import type { AppQuery } from '../../gql/graphql.ts';
import { appName, session } from '../../session.ts';

export const APP = graphql(`
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

/** The app that the person is signed in for. */
export function useApp(): { app: App | undefined; failure: Failure | undefined; retry: () => void } {
  const [result, read] = useQuery({ query: APP, variables: { id: session.app.id } });
  const name = result.data?.app?.name;
  useEffect(() => {
    if (name !== undefined) appName.set(nameInText(name, session.app.id));
  }, [name]);
  return {
    app: result.data?.app ?? undefined,
    failure: failureOf(result.error, 'app'),
    retry: () => read({ requestPolicy: 'network-only' }),
  };
}
