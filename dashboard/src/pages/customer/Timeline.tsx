import { Link } from 'wouter';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Copyable } from '../../ui/Copyable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Moment } from '../../ui/Moment.tsx';
import type { Receipt } from './ConsentPart.tsx';
import type { TimelineEntry } from './timelineEntries.ts';
import { timelineEntries } from './timelineEntries.ts';
import { Withdraw } from './Withdraw.tsx';

/** Every decision on consent, newest first. */
export function Timeline({ receipts }: { receipts: readonly Receipt[] }) {
  return (
    <ol className="timeline">
      {timelineEntries(receipts).map((entry) => (
        <Entry key={entry.key} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { customer: texts, purposes } = useTexts();
  const { receipt, kind } = entry;
  const names = entry.purposes.map((purpose) => purposes[purpose]).join(', ');
  const isOpen = receipt.purposes.some(({ status }) => status === 'GRANTED');
  return (
    <li className={kind}>
      <span className="dot">
        <Icon name={kind === 'granted' ? 'check' : 'close'} size={12} />
      </span>
      <div className="entry">
        <p className="title">
          {kind === 'granted' ? texts.granted(names) : texts.withdrawnEvent(names)}
          <Moment at={entry.at} seconds />
        </p>
        {kind === 'granted' ? <Grant receipt={receipt} /> : <Reason receipt={receipt} />}
        <p className="quiet small">
          {texts.byReceipt} <Copyable value={receipt.id} what={texts.byReceipt} />
        </p>
        {kind === 'granted' && isOpen && can('consent:write') && <Withdraw receipt={receipt} />}
      </div>
    </li>
  );
}

function Grant({ receipt }: { receipt: Receipt }) {
  const { customer: texts, receiptStatus } = useTexts();
  const versions = [
    receipt.termsVersion !== null && `${texts.terms} ${receipt.termsVersion}`,
    receipt.privacyPolicyVersion !== null && `${texts.privacy} ${receipt.privacyPolicyVersion}`,
  ].filter(Boolean);
  return (
    <p className="quiet small">
      <Badge tone={receipt.status === 'ACTIVE' ? 'good' : 'neutral'}>{receiptStatus[receipt.status]}</Badge>{' '}
      {receipt.connectionSessionId === null ? (
        texts.byPartner
      ) : (
        <Link href={`/sessions/${receipt.connectionSessionId}`}>{texts.byPerson}</Link>
      )}
      {versions.length > 0 && ` · ${versions.join(' · ')}`}
    </p>
  );
}

function Reason({ receipt }: { receipt: Receipt }) {
  const { reasons, customer: texts } = useTexts();
  if (receipt.revocationReason === null) return null;
  return (
    <p className="small">
      {reasons[receipt.revocationReason]}
      {receipt.revocationNote !== null && (
        <>
          {' · '}
          {texts.note}: “{receipt.revocationNote}”
        </>
      )}
    </p>
  );
}
