import type { ReactNode } from 'react';
import { useState } from 'react';
import { Provider } from 'urql';
import { createClient } from '../../client/createClient.ts';
import { MayKeep } from '../../client/useQuery.ts';

/**
 * A client for what is read under a purpose. Its cache ends with it, and shows nothing in place of an answer:
 * consent may have ended since.
 */
export function ForgetfulCache({ children }: { children: ReactNode }) {
  const [client] = useState(() => createClient('network-only'));
  return (
    <Provider value={client}>
      <MayKeep value={false}>{children}</MayKeep>
    </Provider>
  );
}
