import { lockHeadsOf } from '../../src/commands/customerHead.js';
import type { CreateConsentReceiptInput } from '../../schema/inputs/ConsentInput.js';
import type { ConsentReceipt } from '../../schema/types/Consent.js';
import type { CommandContext } from '../../src/commands/CommandContext.js';
import { createConsentReceipts } from '../../src/commands/createConsentReceipts.js';
import type { Transaction } from '../../src/database/Transaction.js';

/** Records one receipt. @throws ServiceError why it was refused */
export async function createConsentReceipt(
  tx: Transaction,
  context: CommandContext,
  input: CreateConsentReceiptInput,
): Promise<ConsentReceipt> {
  const [outcome] = await createConsentReceipts(tx, context, [input], await lockHeadsOf(tx, [input]));
  if (outcome === undefined || outcome instanceof Error) throw outcome;
  return outcome;
}
