import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PURPOSES } from './purposes.ts';
import { hintOf } from './PurposeSwitch.tsx';
import type { Gate } from './useGates.ts';
import { useGates } from './useGates.ts';

/** Every purpose with its gate: open, or which rule keeps it shut. */
export function Access({ customerId }: { customerId: string }) {
  const { customer: texts } = useTexts();
  const gates = useGates(customerId);
  const mayAsk = can('profile:read', 'consent:read');
  return (
    <Card title={texts.access} lead={texts.accessLead}>
      {!mayAsk && <p className="quiet">{texts.accessHidden}</p>}
      {mayAsk && gates === undefined && <Skeleton lines={7} />}
      {gates !== undefined && (
        <ul className="gates">
          {PURPOSES.map((purpose) => {
            const gate = gates.find((one) => one.purpose === purpose);
            return gate && <GateRow key={purpose} gate={gate} />;
          })}
        </ul>
      )}
    </Card>
  );
}

function GateRow({ gate }: { gate: Gate }) {
  const { customer: texts, purposes, gates } = useTexts();
  const state = !gate.isOpen ? 'closed' : gate.decidedBy === null ? 'open' : 'empty';
  return (
    <li className={state}>
      <Icon name={state === 'closed' ? 'lock' : 'check'} size={14} />
      <div>
        <span className="name">{purposes[gate.purpose]}</span>{' '}
        <span className="state">{hintOf(texts, gate)}</span>
        {gate.decidedBy !== null && <code className="quiet small"> · {gate.decidedBy.toLowerCase()}</code>}
        {gate.decidedBy !== null && <p className="quiet small">{gates[gate.decidedBy]}</p>}
      </div>
    </li>
  );
}
