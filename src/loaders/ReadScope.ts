import type { Services } from '../Services.js';

/** As whom and with what a loader reads. */
export interface ReadScope {
  services: Services;
  appId: string;
}
