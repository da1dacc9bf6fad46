import { useRef, useState } from 'react';
import type { Failure } from '../../client/failure.ts';
import { readAgain } from '../../client/readAgain.ts';
import { useLive } from '../../client/useLive.ts';
import { graphql } from '../../gql/index.ts';
import type { ConsentPurpose } from '../../gql/graphql.ts';
import { can } from '../../session.ts';

const CONSENT_CHANGED = graphql(`
  subscription ConsentChanged($customerId: ID!) {
    consentChanged(customerId: $customerId) {
      purposes {
        purpose
        status
        grantedAt
        revokedAt
      }
    }
  }
`);

/** Purposes that were withdrawn while the page was open. */
export interface Withdrawal {
  purposes: ConsentPurpose[];
  at: string;
}

interface Handlers {
  /** A purpose is not as it was: called before anything is read again. */
  onChange: () => void;
  /** Nothing more will be heard, as of a customer that was erased. */
  onEnd: (failure: Failure) => void;
}

/** Hears of every decision on consent: the whole page is read again, and what was withdrawn is said. */
export function useWithdrawals(
  customerId: string,
  { onChange, onEnd }: Handlers,
): {
  withdrawal: Withdrawal | undefined;
  dismiss: () => void;
} {
  const [withdrawal, setWithdrawal] = useState<Withdrawal>();
  const open = useRef<ReadonlySet<ConsentPurpose>>(undefined);
  const heard = useRef('');
  useLive(
    CONSENT_CHANGED,
    { customerId },
    {
      pause: !can('consent:read'),
      onEnd,
      onEvent: ({ consentChanged }) => {
        const states = consentChanged?.purposes ?? [];
        const before = open.current;
        const isChange = heard.current !== JSON.stringify(states);
        heard.current = JSON.stringify(states);
        open.current = new Set(
          states.filter(({ status }) => status === 'GRANTED').map(({ purpose }) => purpose),
        );
        if (before === undefined) return;
        if (isChange) onChange();
        readAgain();
        const lost = states.filter(({ purpose, status }) => status === 'REVOKED' && before.has(purpose));
        const at = lost[0]?.revokedAt;
        if (at !== undefined && at !== null)
          setWithdrawal({ purposes: lost.map(({ purpose }) => purpose), at });
        else if (states.some(({ purpose, status }) => status === 'GRANTED' && !before.has(purpose)))
          setWithdrawal(undefined);
      },
    },
  );
  return { withdrawal, dismiss: () => setWithdrawal(undefined) };
}
