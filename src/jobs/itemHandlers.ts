import { claimHandler } from './applyClaims.js';
import { eventHandler } from './applyEvents.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import type { ItemHandler } from './ItemHandler.js';

export const HANDLERS: Record<InboxRow['kind'], ItemHandler> = { claim: claimHandler, event: eventHandler };
