import { appActions } from './appActions.js';
import type { OperatorAction } from './OperatorAction.js';
import { viewActions } from './viewActions.js';
import { workflowActions } from './workflowActions.js';

/** All actions of operators, for the command and HTTP. */
export const operatorActions: readonly OperatorAction[] = [...appActions, ...viewActions, ...workflowActions];
