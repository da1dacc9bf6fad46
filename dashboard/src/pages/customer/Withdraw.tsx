import { useState } from 'react';
import { Link } from 'wouter';
import { readAgain } from '../../client/readAgain.ts';
import { graphql } from '../../gql/index.ts';
import type { ConsentPurpose, RevocationReason } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckList } from '../../ui/CheckList.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Field } from '../../ui/Field.tsx';
import { useTell } from '../../ui/Toasts.tsx';
import { useAction } from '../../ui/useAction.ts';

const REVOKE = graphql(`
  mutation RevokeReceipt($id: ID!, $input: RevokeConsentReceiptInput!, $key: String!) {
    revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $key) {
      workflowId
      status
      acceptedAt
    }
  }
`);

/** Withdraws purposes of a receipt on the customer's behalf, after asking. */
export function Withdraw({ receiptId, open }: { receiptId: string; open: readonly ConsentPurpose[] }) {
  const { customer: texts, purposes, reasons } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string[]>([...open]);
  const [reason, setReason] = useState<RevocationReason>('USER_REQUEST');
  const [note, setNote] = useState('');
  const tell = useTell();
  const revoke = useAction(REVOKE);
  const close = (): void => {
    setOpen(false);
    revoke.reset();
  };
  const confirm = async (): Promise<void> => {
    const input = {
      purposes: chosen as ConsentPurpose[],
      reason,
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    };
    const done = await revoke.run({ id: receiptId, input });
    if (done?.revokeConsentReceipt === undefined || done.revokeConsentReceipt === null) return;
    const { workflowId } = done.revokeConsentReceipt;
    tell(texts.withdrawDone, <Link href={`/workflows/${workflowId}`}>{texts.follow}</Link>);
    close();
    readAgain();
  };
  return (
    <>
      <Button
        kind="quiet"
        onPress={() => {
          setChosen([...open]);
          setOpen(true);
        }}
      >
        {texts.withdraw}
      </Button>
      <Confirm
        title={texts.withdrawTitle}
        lead={texts.withdrawLead}
        confirm={texts.withdrawConfirm}
        isOpen={isOpen}
        isRunning={revoke.isRunning}
        isDisabled={chosen.length === 0}
        failure={revoke.failure}
        onConfirm={() => void confirm()}
        onClose={close}
      >
        <CheckList
          label={texts.withdrawWhich}
          options={open.map((id) => ({ id, label: purposes[id] }))}
          value={chosen}
          onChange={setChosen}
        />
        <Choice
          label={texts.reasonLabel}
          options={Object.entries(reasons).map(([id, label]) => ({ id, label }))}
          value={reason}
          onChange={(id) => setReason(id as RevocationReason)}
        />
        <Field label={texts.withdrawNote} value={note} onChange={setNote} maxLength={500} />
      </Confirm>
    </>
  );
}
