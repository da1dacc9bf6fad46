import { replacing } from './replacing.js';

const HONEST = 'await services.database.readAs(appId, GATE_ONLY, [appId, ids, asked])';

/** A replica is asked for the gate too, and the primary only where none answers. */
export const load = replacing(
  '/loaders/loadProfiles.js',
  HONEST,
  `(await replicas.readAs(appId, GATE_ONLY, [appId, ids, asked])) ?? (${HONEST})`,
);
