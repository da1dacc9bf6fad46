import { useTexts } from '../../i18n/texts.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { useQueryState } from '../../ui/useQueryState.ts';
import { PURPOSES, useChosenPurpose } from './purposes.ts';
import type { Gate } from './useGates.ts';
import { useGates } from './useGates.ts';

const ALL = 'ALL';

/** Which purpose the page is read under. */
export function PurposeSwitch({ customerId }: { customerId: string }) {
  const { customer: texts, purposes } = useTexts();
  const [, set] = useQueryState();
  const gates = useGates(customerId);
  const chosen = useChosenPurpose();
  const options = PURPOSES.map((purpose) => {
    const gate = gates?.find((one) => one.purpose === purpose);
    return { id: purpose as string, label: purposes[purpose], hint: gate && hintOf(texts, gate) };
  });
  return (
    <Choice
      inline
      label={texts.purposeSwitch}
      options={[{ id: ALL, label: texts.allPurposes }, ...options]}
      value={chosen ?? ALL}
      onChange={(id) => set({ purpose: id === ALL ? undefined : id, after: undefined })}
    />
  );
}

export function hintOf(texts: { open: string; closed: string; empty: string }, gate: Gate): string {
  if (!gate.isOpen) return texts.closed;
  return gate.decidedBy === null ? texts.open : texts.empty;
}
