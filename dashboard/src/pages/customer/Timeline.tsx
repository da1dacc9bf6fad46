import { Link } from 'wouter';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Copyable } from '../../ui/Copyable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Moment } from '../../ui/Moment.tsx';
import type { Decision } from './consentQuery.ts';
import { Withdraw } from './Withdraw.tsx';

/** Every decision on consent, newest first. */
export function Timeline({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <ol className="timeline">
      {decisions.map((decision) => (
        <Entry key={decision.id} decision={decision} note={noteOf(decision, decisions)} />
      ))}
    </ol>
  );
}

/** A receipt keeps only the note of its latest revocation, which may be on a page before this one. */
function noteOf(decision: Decision, decisions: readonly Decision[]): string | null {
  const { receipt } = decision;
  const newest = decisions.find((one) => one.action === 'REVOKED' && one.receiptId === decision.receiptId);
  if (receipt === null || decision !== newest) return null;
  const isLatest = receipt.purposes.every((one) => (one.revokedAt ?? '') <= decision.decidedAt);
  return isLatest ? receipt.revocationNote : null;
}

interface Noted {
  decision: Decision;
  note: string | null;
}

function Entry({ decision, note }: Noted) {
  const { customer: texts, purposes } = useTexts();
  const isGrant = decision.action === 'GRANTED';
  const names = decision.purposes.map((purpose) => purposes[purpose]).join(', ');
  const open =
    decision.receipt?.purposes.filter(({ status }) => status === 'GRANTED').map(({ purpose }) => purpose) ??
    [];
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
          {isGrant ? <Grant decision={decision} /> : <Reason decision={decision} note={note} />}
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

function Grant({ decision: { decidedBy, receipt } }: { decision: Decision }) {
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

function Reason({ decision: { decidedBy, reason }, note }: Noted) {
  const { reasons, customer: texts } = useTexts();
  const parts = [
    decidedBy === 'PERSON' && texts.withdrawnByPerson,
    decidedBy === 'PARTNER' && texts.withdrawnByPartner,
    reason !== null && reasons[reason],
    note && texts.note(note),
  ].filter(Boolean);
  return <>{parts.join(' · ')}</>;
}
