import { Link } from 'wouter';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Copyable } from '../../ui/Copyable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Moment } from '../../ui/Moment.tsx';
import type { Decision, Receipt } from './consentQuery.ts';
import { Withdraw } from './Withdraw.tsx';

interface Props {
  decisions: readonly Decision[];
  receipts: readonly Receipt[];
}

/** Every decision on consent, newest first. */
export function Timeline({ decisions, receipts }: Props) {
  return (
    <ol className="timeline">
      {decisions.map((decision) => (
        <Entry
          key={decision.id}
          decision={decision}
          receipt={receipts.find(({ id }) => id === decision.receiptId)}
        />
      ))}
    </ol>
  );
}

function Entry({ decision, receipt }: { decision: Decision; receipt: Receipt | undefined }) {
  const { customer: texts, purposes } = useTexts();
  const isGrant = decision.action === 'GRANTED';
  const names = decision.purposes.map((purpose) => purposes[purpose]).join(', ');
  const open =
    receipt?.purposes.filter(({ status }) => status === 'GRANTED').map(({ purpose }) => purpose) ?? [];
  return (
    <li className={isGrant ? 'granted' : 'withdrawn'}>
      <span className="dot">
        <Icon name={isGrant ? 'check' : 'close'} size={12} />
      </span>
      <div className="entry">
        <p className="title">
          {isGrant ? texts.granted(names) : texts.withdrawnEvent(names)}
          <Moment at={decision.decidedAt} seconds />
        </p>
        <p className="small">
          {isGrant ? (
            <Grant decision={decision} receipt={receipt} />
          ) : (
            <Reason decision={decision} receipt={receipt} />
          )}
        </p>
        <p className="quiet small">
          {texts.byReceipt} <Copyable value={decision.receiptId} what={texts.byReceipt} />
        </p>
        {isGrant && open.length > 0 && can('consent:write') && (
          <Withdraw receiptId={decision.receiptId} open={open} />
        )}
      </div>
    </li>
  );
}

interface About {
  decision: Decision;
  receipt: Receipt | undefined;
}

function Grant({ decision: { decidedBy }, receipt }: About) {
  const { customer: texts } = useTexts();
  const sessionId = receipt?.connectionSessionId;
  const versions = [
    receipt?.termsVersion && `${texts.terms} ${receipt.termsVersion}`,
    receipt?.privacyPolicyVersion && `${texts.privacy} ${receipt.privacyPolicyVersion}`,
  ].filter(Boolean);
  return (
    <>
      {sessionId ? (
        <Link href={`/sessions/${sessionId}`}>{texts.byPerson}</Link>
      ) : decidedBy === 'PERSON' ? (
        texts.byPerson
      ) : (
        texts.byPartner
      )}
      {versions.length > 0 && <span className="quiet"> · {versions.join(' · ')}</span>}
    </>
  );
}

function Reason({ decision: { decidedBy, reason }, receipt }: About) {
  const { reasons, customer: texts } = useTexts();
  const parts = [
    decidedBy === 'PERSON' && texts.withdrawnByPerson,
    decidedBy === 'PARTNER' && texts.withdrawnByPartner,
    reason !== null && reasons[reason],
    receipt?.revocationNote && `${texts.note}: “${receipt.revocationNote}”`,
  ].filter(Boolean);
  return <>{parts.join(' · ')}</>;
}
