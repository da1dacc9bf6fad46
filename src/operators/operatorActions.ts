import { appActions } from './appActions.js';
import type { OperatorAction } from './OperatorAction.js';
import { viewActions } from './viewActions.js';
import { workflowActions } from './workflowActions.js';

/** Everything that operators may ask for by command and by HTTP alike. */
export const operatorActions: readonly OperatorAction[] = [...appActions, ...viewActions, ...workflowActions];
