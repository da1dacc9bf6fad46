import type { Route } from '../Route.js';
import { appRoutes } from './apps.js';
import { claimRoutes } from './claims.js';
import { connectionSessionRoutes } from './connectionSessions.js';
import { consentRoutes } from './consent.js';
import { customerRoutes } from './customers.js';
import { entryRoutes } from './entries.js';
import { eventRoutes } from './events.js';
import { ontologyRoutes } from './ontologies.js';
import { profileRoutes } from './profiles.js';
import { webhookRoutes } from './webhooks.js';
import { workflowRoutes } from './workflows.js';

/** All routes of `/v1`. Add new groups here. */
export const allRoutes: readonly Route[] = [
  ...appRoutes,
  ...customerRoutes,
  ...connectionSessionRoutes,
  ...consentRoutes,
  ...ontologyRoutes,
  ...entryRoutes,
  ...eventRoutes,
  ...profileRoutes,
  ...claimRoutes,
  ...webhookRoutes,
  ...workflowRoutes,
];
