import type { Failure } from '../../client/failure.ts';
import type { ConsentPurpose } from '../../gql/graphql.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useConsent } from './useConsent.ts';

interface Props {
  customerId: string;
  /** The purpose asked for; null for every open one. */
  purpose: ConsentPurpose | null;
  failure: Failure;
}

/** In the place of data that may not be read: since when, and which gate says so. */
export function Denied({ customerId, purpose, failure }: Props) {
  const { customer: texts, purposes, gates } = useTexts();
  const format = useFormat();
  const consent = useConsent(customerId);
  const withdrawnAt = consent?.find((one) => one.purpose === purpose && one.status === 'REVOKED')?.revokedAt;
  const name = purpose === null ? texts.allPurposes : purposes[purpose];
  const isWithdrawn = withdrawnAt !== undefined && withdrawnAt !== null;
  return (
    <div role="alert">
      <EmptyState icon="lock" title={isWithdrawn ? texts.withdrawnTitle([name]) : texts.deniedTitle(name)}>
        <p>{isWithdrawn ? texts.withdrawn(format.moment(withdrawnAt)) : texts.denied}</p>
        {failure.gate !== undefined && <p className="quiet">{gates[failure.gate] ?? failure.gate}</p>}
      </EmptyState>
    </div>
  );
}
