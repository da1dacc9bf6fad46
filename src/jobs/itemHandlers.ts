import { claimHandler } from './applyClaims.js';
import { eventHandler } from './applyEvents.js';
import type { InboxRow, ItemHandler } from './applyInbox.js';

/** How each kind of item is applied, rejected and given up. */
export const HANDLERS: Record<InboxRow['kind'], ItemHandler> = { claim: claimHandler, event: eventHandler };
