import type { RequestServices } from '../Services.js';
import type { SharedReads } from './SharedReads.js';

export interface ReadServices extends RequestServices {
  /** Reads that requests share. */
  reads: SharedReads;
}

/** The app that a loader reads as, and its services. */
export interface ReadScope {
  services: RequestServices;
  appId: string;
}
