import type { RequestServices } from '../Services.js';
import type { SharedReads } from './SharedReads.js';

/** What requests read with. */
export interface ReadServices extends RequestServices {
  /** Reads that requests share. */
  reads: SharedReads;
}

/** As whom and with what a loader reads. */
export interface ReadScope {
  services: RequestServices;
  appId: string;
}
