import { useFormat, useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Withdrawal } from './useWithdrawals.ts';

interface Props {
  withdrawal: Withdrawal | undefined;
  dismiss: () => void;
}

/** Says what was withdrawn while the page was open, and that it is gone from it. */
export function WithdrawalNotice({ withdrawal, dismiss }: Props) {
  const { customer: texts, purposes, common } = useTexts();
  const format = useFormat();
  return (
    <div role="alert">
      {withdrawal !== undefined && (
        <div className="notice warning withdrawal">
          <Icon name="lock" />
          <div>
            <p className="title">
              {texts.withdrawnTitle(withdrawal.purposes.map((purpose) => purposes[purpose]))}
            </p>
            <p>{texts.withdrawn(format.toSecond(withdrawal.at))}</p>
          </div>
          <Button kind="quiet" icon="close" aria-label={common.close} onPress={dismiss} />
        </div>
      )}
    </div>
  );
}
